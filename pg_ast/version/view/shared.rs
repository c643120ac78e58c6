//! The nodes of a view that the grammar shares; see `convert/shared_nodes.rs`.

use super::names::protobuf::FunctionParameterMode;
use super::{
    CommonTableExpr, CreateFunctionStmt, FunctionParameter, Node, ObjectWithArgs, TypeName,
    ViewStmt,
};
use crate::convert::shared_nodes::ROW;

impl Node<'_> {
    /// Returns whether what is in the field that can hold shared nodes is left out in walks here.
    #[cold]
    #[inline(never)]
    pub(super) fn holds_copies(self) -> bool {
        match self {
            Self::MultiAssignRef(reference) => reference.colno() > 1,
            Self::ObjectWithArgs(object) => object.has_types_twice(),
            Self::ViewStmt(view) => view.has_columns_twice(),
            Self::CreateFunctionStmt(function) => function.has_type_twice(),
            _ => false,
        }
    }

    /// Returns whether an edit has emptied a field that can hold shared nodes, and that is printed.
    pub(crate) fn lacks_copies(self) -> bool {
        match self {
            Self::ObjectWithArgs(object) => {
                object.objargs().is_empty() && object.input_types().next().is_some()
            }
            Self::ViewStmt(view) => {
                let columns = view.recursive().map(CommonTableExpr::aliascolnames);
                view.aliases().is_empty() && columns.is_some_and(|columns| !columns.is_empty())
            }
            _ => false,
        }
    }
}

impl<'a> ObjectWithArgs<'a> {
    /// Returns whether the arguments of a function are the types of its parameters.
    pub(super) fn has_types_twice(self) -> bool {
        let types = self.objargs().iter().map(Node::as_type_name);
        !self.objargs().is_empty() && types.eq(self.input_types().map(Some))
    }

    /// Returns the types of those parameters that are part of a function's signature.
    pub(super) fn input_types(self) -> impl Iterator<Item = TypeName<'a>> {
        self.objfuncargs().iter().filter_map(|parameter| {
            let parameter = parameter.as_function_parameter()?;
            let is_output = matches!(
                parameter.mode(),
                FunctionParameterMode::FuncParamOut | FunctionParameterMode::FuncParamTable
            );
            if is_output { None } else { parameter.arg_type() }
        })
    }
}

impl<'a> ViewStmt<'a> {
    /// Returns whether its columns are those of the `WITH` that `CREATE RECURSIVE VIEW` makes.
    pub(super) fn has_columns_twice(self) -> bool {
        let columns = self.aliases();
        !columns.is_empty() && self.recursive().is_some_and(|cte| cte.aliascolnames() == columns)
    }

    /// Returns the query in the `WITH` that `CREATE RECURSIVE VIEW` makes: it is not in the SQL, and so has no location.
    pub(super) fn recursive(self) -> Option<CommonTableExpr<'a>> {
        let with = self.query()?.as_select_stmt()?.with_clause()?;
        let cte = with.ctes().first()?.as_common_table_expr()?;
        let is_made = with.recursive() && with.location() < 0 && cte.location() < 0;
        (is_made && with.ctes().len() == 1).then_some(cte)
    }
}

impl<'a> CreateFunctionStmt<'a> {
    /// Returns whether what it returns is what its columns say: the type of the only one, or that of a row.
    pub(super) fn has_type_twice(self) -> bool {
        let mut columns = self.columns();
        let Some(returned) = self.return_type().filter(|returned| returned.setof()) else {
            return false;
        };
        match (columns.next(), columns.next()) {
            (Some(column), None) => column.is_some_and(|column| returned.is_like(column)),
            (Some(_), Some(_)) => returned.names().strs().eq(ROW),
            (None, _) => false,
        }
    }

    /// Returns the types of the columns of `RETURNS TABLE`.
    pub(super) fn columns(self) -> impl Iterator<Item = Option<TypeName<'a>>> {
        let parameters = self.parameters().iter().filter_map(Node::as_function_parameter);
        let is_column = |mode| mode == FunctionParameterMode::FuncParamTable;
        parameters.filter(move |it| is_column(it.mode())).map(FunctionParameter::arg_type)
    }
}

impl TypeName<'_> {
    /// Compares, but for whether it is a set of this type, and its place.
    fn is_like(self, other: TypeName<'_>) -> bool {
        let of = |name: TypeName<'_>| (name.type_oid(), name.pct_type(), name.typemod());
        of(self) == of(other)
            && self.names() == other.names()
            && self.typmods() == other.typmods()
            && self.array_bounds() == other.array_bounds()
    }
}
