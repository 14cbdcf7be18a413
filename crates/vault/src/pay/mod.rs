//! Payments: requests and authorisations, mandates with a budget, and their counts.

pub mod budget;
pub mod currency;
pub mod mandate;
pub mod mandate_count;
pub mod mandate_error;
pub mod mandate_terms;
pub mod mandate_why;
pub mod mandates;
pub mod payment;
pub mod period;
pub mod share;
