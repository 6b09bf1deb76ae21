//! Node kinds as types, so that what differs between them is settled by the compiler.

/// What kind of node is searched.
pub trait NodeKind {
    /// On the principal variation: the window is open and a line is kept.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
    /// The kind of a child searched with the open window.
    type Child: NodeKind;
}

/// The root.
pub struct Root;
/// A node on the principal variation.
pub struct Pv;
/// A node searched with a null window.
pub struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = NonPv;
}
