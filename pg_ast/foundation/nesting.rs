//! Measures the depth of JSON before it is read.

/// Returns how deep brackets are nested in JSON.
pub(crate) fn depth(json: &[u8]) -> usize {
    let (mut depth, mut max) = (0_usize, 0);
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                max = max.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'"' => break,
                        b'\\' => _ = bytes.next(),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    max
}
