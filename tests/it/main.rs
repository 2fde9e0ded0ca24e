//! All integration tests, one module a subject.

mod gcg;
