//! SVG charts and HTML pages: values in, text out. A page is one file that prints well and needs neither script nor
//! network.

pub mod html;
pub mod plots;
pub mod print;
pub mod svg;
