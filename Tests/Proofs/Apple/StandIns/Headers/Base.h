// The macros of Foundation's headers, the C library, and the protocols of objects. Written from Apple's documentation, with what the sources use;
// no code of Apple's.
#pragma once
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <time.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/event.h>
#include <netinet/in.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <objc/objc.h>
#include <objc/NSObject.h>
#include <dispatch/dispatch.h>
#include <os/availability.h>

#define SENDABLE __attribute__((swift_attr("@Sendable")))
#define NONSENDABLE __attribute__((swift_attr("@_nonSendable")))
#define NAMED(n) __attribute__((swift_name(#n)))
#define REFINED __attribute__((swift_private))
#define BRIDGED(n) __attribute__((swift_bridge(n)))
#define ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#define OPTIONS(type, name) enum __attribute__((flag_enum,enum_extensibility(open))) name : type name; enum name : type
#define STRUCT_ENUM __attribute__((swift_newtype(struct)))

#pragma clang assume_nonnull begin
typedef double NSTimeInterval;
typedef struct _NSRange { NSUInteger location; NSUInteger length; } NSRange;
typedef struct _NSZone NSZone;
typedef ENUM(NSInteger, NSComparisonResult) { NSOrderedAscending NAMED(orderedAscending) = -1L, NSOrderedSame, NSOrderedDescending } NAMED(ComparisonResult);

@class NSString, NSData, NSURL, NSDate, NSError, NSLocale, NSUUID, NSInputStream, NSOperationQueue, NSURLRequest, NSURLResponse, NSCoder;

@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end
@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable NSZone *)zone;
@end
@protocol NSCoding
- (void)encodeWithCoder:(NSCoder *)coder;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end
@protocol NSSecureCoding <NSCoding>
@property (class, readonly) BOOL supportsSecureCoding;
@end
@interface NSCoder : NSObject
@end
#pragma clang assume_nonnull end
