// The module is generated from the schema in this folder.
