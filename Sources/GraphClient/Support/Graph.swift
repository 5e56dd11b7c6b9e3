/// The client: sends operations of a generated module over a ``Transport`` and reads the responses.
public enum Graph {}
