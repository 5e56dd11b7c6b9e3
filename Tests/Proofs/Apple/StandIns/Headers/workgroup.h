// A type that Dispatch's headers name. Written from Apple's documentation; no code of Apple's.
#pragma once
typedef struct os_workgroup_s *os_workgroup_t;
