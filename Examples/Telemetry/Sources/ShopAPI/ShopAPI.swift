// The plugin adds the generated files; a target needs one file of its own.
