/// Namespace placeholder, replaced by the parser.
enum GraphJSONModule {}
