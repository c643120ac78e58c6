//! Where aggregates, window functions and functions that return sets can be; see `ParseExprKind` of PostgreSQL's `parse_node.h`.

/// Where an expression is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ExprPlace {
    /// Where nothing is refused.
    #[default]
    Other,
    JoinOn,
    FromSubselect,
    FromFunction,
    /// An argument in a `FROM` that is no call: that of `XMLTABLE`, of `TABLESAMPLE`.
    FromTable,
    Where,
    Having,
    Filter,
    WindowPartition,
    WindowOrder,
    WindowRange,
    WindowRows,
    WindowGroups,
    SelectTarget,
    InsertTarget,
    Update,
    GroupBy,
    OrderBy,
    DistinctOn,
    Limit,
    Offset,
    Returning,
    Values,
    /// The only row of the `VALUES` of an `INSERT`.
    SingleRow,
    Check,
    Default,
    IndexExpression,
    IndexPredicate,
    Statistics,
    Transform,
    Execute,
    TriggerWhen,
    Policy,
    PartitionBound,
    PartitionKey,
    CallArgument,
    CopyWhere,
    Generated,
    MergeWhen,
}

/// What may be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusedCall {
    Aggregate,
    Grouping,
    Window,
    Set,
}

impl ExprPlace {
    /// Returns whether what is there is among what the query computes of its rows, grouped ones if it groups them.
    pub(super) fn is_of_groups(self) -> bool {
        matches!(
            self,
            Self::SelectTarget
                | Self::Having
                | Self::OrderBy
                | Self::DistinctOn
                | Self::WindowPartition
                | Self::WindowOrder
        )
    }

    fn is_in_window(self) -> bool {
        matches!(self, Self::WindowRange | Self::WindowRows | Self::WindowGroups)
    }

    fn takes(self, what: RefusedCall) -> bool {
        match what {
            RefusedCall::Aggregate | RefusedCall::Grouping => {
                self.is_of_groups() || self == Self::Other
            }
            RefusedCall::Window => {
                matches!(self, Self::SelectTarget | Self::OrderBy | Self::DistinctOn | Self::Other)
            }
            RefusedCall::Set => matches!(
                self,
                Self::SelectTarget
                    | Self::InsertTarget
                    | Self::GroupBy
                    | Self::OrderBy
                    | Self::DistinctOn
                    | Self::WindowPartition
                    | Self::WindowOrder
                    | Self::SingleRow
                    | Self::FromFunction
                    | Self::FromTable
                    | Self::Other
            ),
        }
    }

    /// Returns the server's message if it refuses something here; see `check_agglevels_and_constraints` and `transformWindowFuncCall`
    /// of PostgreSQL's `parse_agg.c`, `check_srf_call_placement` of `parse_func.c`.
    pub(super) fn refusal(self, what: RefusedCall) -> Option<String> {
        if self.takes(what) {
            return None;
        }
        let subject = match what {
            RefusedCall::Aggregate => "aggregate functions",
            RefusedCall::Grouping => "grouping operations",
            RefusedCall::Window => "window functions",
            RefusedCall::Set => "set-returning functions",
        };
        let is_in_window =
            self.is_in_window() || matches!(self, Self::WindowPartition | Self::WindowOrder);
        let place = match self {
            _ if is_in_window && matches!(what, RefusedCall::Window | RefusedCall::Set) => {
                "window definitions"
            }
            Self::JoinOn => "JOIN conditions",
            Self::FromSubselect => "FROM clause of their own query level",
            Self::FromFunction | Self::FromTable => "functions in FROM",
            Self::Where => "WHERE",
            Self::Having => "HAVING",
            Self::Filter => "FILTER",
            Self::WindowRange => "window RANGE",
            Self::WindowRows => "window ROWS",
            Self::WindowGroups => "window GROUPS",
            Self::InsertTarget => "INSERT",
            Self::Update => "UPDATE",
            Self::GroupBy => "GROUP BY",
            Self::Limit => "LIMIT",
            Self::Offset => "OFFSET",
            Self::Returning => "RETURNING",
            Self::Values | Self::SingleRow => "VALUES",
            Self::Check => "check constraints",
            Self::Default => "DEFAULT expressions",
            Self::IndexExpression => "index expressions",
            Self::IndexPredicate => "index predicates",
            Self::Statistics => "statistics expressions",
            Self::Transform => "transform expressions",
            Self::Execute => "EXECUTE parameters",
            Self::TriggerWhen => "trigger WHEN conditions",
            Self::Policy => "policy expressions",
            Self::PartitionBound => "partition bound",
            Self::PartitionKey => "partition key expressions",
            Self::CallArgument => "CALL arguments",
            Self::CopyWhere => "COPY FROM WHERE conditions",
            Self::Generated => "column generation expressions",
            Self::MergeWhen => "MERGE WHEN conditions",
            Self::Other
            | Self::SelectTarget
            | Self::OrderBy
            | Self::DistinctOn
            | Self::WindowPartition
            | Self::WindowOrder => return None,
        };
        Some(format!("{subject} are not allowed in {place}"))
    }
}
