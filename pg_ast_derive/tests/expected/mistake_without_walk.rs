#[derive(Walk)]
struct Alias {
    aliasname: String,
}
