// The rest of this module is generated from schema.graphqls when it is built.
