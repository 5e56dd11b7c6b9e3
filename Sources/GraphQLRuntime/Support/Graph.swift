/// The namespace of the client, the store and the outbox.
public enum Graph {}
