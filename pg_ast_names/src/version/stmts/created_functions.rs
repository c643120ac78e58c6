//! Functions that statements create: the types of their parameters and results, defaults, and bodies that are no strings.

use std::rc::Rc;
use std::sync::Arc;

use super::pg::view::{CreateFunctionStmt, Node};
use super::resolver::NameResolver;

impl<'a> NameResolver<'a> {
    pub(super) fn create_function(&mut self, create: CreateFunctionStmt<'a>) {
        for parameter in create.parameters() {
            if let Node::FunctionParameter(parameter) = parameter {
                if let Some(of) = parameter.arg_type() {
                    self.parameter_type(of);
                }
                self.optional(parameter.defexpr());
            }
        }
        if let Some(of) = create.return_type().filter(|_| !is_in_c(create)) {
            self.type_use(of);
        }
        self.misses_schema(create.into(), -1, &create.funcname().qualified_name());
        let Some(body) = create.sql_body() else { return };
        let function = create.funcname().qualified_name().name;
        let variables = Rc::make_mut(&mut self.variables);
        variables.insert(Arc::from(function));
        for parameter in create.parameters() {
            if let Node::FunctionParameter(parameter) = parameter
                && !parameter.name().is_empty()
            {
                variables.insert(Arc::from(parameter.name()));
            }
        }
        // A list of lists of statements.
        let mut stack = vec![body];
        while let Some(node) = stack.pop() {
            match node {
                Node::List(list) => stack.extend(list.iter().rev()),
                Node::ReturnStmt(stmt) => self.optional(stmt.returnval()),
                stmt => drop(self.statement(stmt)),
            }
        }
        self.variables = Rc::default();
    }
}

/// Returns whether a function is in C: it can return a type that it is the input of.
fn is_in_c(create: CreateFunctionStmt<'_>) -> bool {
    let languages = create.options().iter().filter_map(|option| match option {
        Node::DefElem(option) if option.defname() == "language" => option.arg()?.as_str(),
        _ => None,
    });
    let mut in_c = languages
        .map(|name| name.eq_ignore_ascii_case("c") || name.eq_ignore_ascii_case("internal"));
    in_c.any(|it| it)
}
