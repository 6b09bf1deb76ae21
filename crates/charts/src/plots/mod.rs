//! The plots of the reports. Each takes numbers and gives one `<figure>`; legends are HTML, so they wrap on small screens.

mod bars;
mod boxes;
mod figure;
mod flame;
mod heat;
mod lines;

pub use bars::{Bar, Stack, histogram, intervals, named_bars, stacked};
pub use boxes::{BoxGroup, BoxPlot, box_plot};
pub use flame::flame_graph;
pub use heat::heat_map;
pub use lines::{Guide, LineChart, Point, Series};
