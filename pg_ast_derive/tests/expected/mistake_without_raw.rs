#[derive(FromRaw, IntoRaw)]
struct Alias {
    aliasname: String,
}
