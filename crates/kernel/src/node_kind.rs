//! Node kinds as types, so that what differs between them is settled by the compiler.

/// A node kind as a value, for nodes that are handed to another worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NodeType {
    /// The root.
    Root,
    /// On the principal variation.
    Pv,
    /// Searched with a null window.
    #[default]
    NonPv,
}

/// What kind of node is searched.
pub trait NodeKind {
    /// The kind as a value.
    const TYPE: NodeType;
    /// On the principal variation (PV): the window is open and a line is kept.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
    /// The kind of a child searched with the open window.
    type Child: NodeKind;
}

/// The root.
pub struct Root;
/// A node on the principal variation (PV).
pub struct Pv;
/// A node searched with a null window.
pub struct NonPv;

impl NodeKind for Root {
    const TYPE: NodeType = NodeType::Root;
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl NodeKind for Pv {
    const TYPE: NodeType = NodeType::Pv;
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl NodeKind for NonPv {
    const TYPE: NodeType = NodeType::NonPv;
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = NonPv;
}
