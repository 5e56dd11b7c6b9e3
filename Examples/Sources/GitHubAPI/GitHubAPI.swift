// The plugin adds the generated files; a target needs one of its own.
