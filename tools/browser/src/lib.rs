//! Tests of the pages of a review in a browser.
//!
//! - `samples`: documents with everything that a page must show
//! - `driver`: a small client of the WebDriver protocol, for chromedriver on the loopback interface
//!
//! `cargo test -p browser --features browser` runs the tests. The program `pictures` takes the
//! screenshots in docs/images, and others to look at.

pub mod driver;
pub mod samples;
