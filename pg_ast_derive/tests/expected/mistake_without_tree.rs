#[derive(Message)]
struct Alias {
    #[prost(string, tag = "1")]
    aliasname: String,
}
