/// The client: sends operations of a generated module over a ``Transport`` and reads the answers.
public enum Graph {}
