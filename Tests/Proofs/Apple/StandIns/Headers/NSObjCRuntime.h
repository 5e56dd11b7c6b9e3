// Integers of Objective-C. Written from Apple's documentation; no code of Apple's.
#pragma once
#include <TargetConditionals.h>
#include <objc/objc.h>
typedef long NSInteger;
typedef unsigned long NSUInteger;
