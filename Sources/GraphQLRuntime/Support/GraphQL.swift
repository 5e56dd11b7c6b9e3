/// The runtime for generated GraphQL modules.
///
/// Generated code only declares; this namespace implements: ``AbstractQuery`` builds documents,
/// ``AbstractResponse`` reads responses, ``SchemaTable`` describes the types of one schema.
public enum GraphQL {}

/// The namespace of the client, the store and the outbox.
public enum Graph {}
