// The process, threads and queues of operations. Written from Apple's documentation, with what the sources use;
// no code of Apple's.
#pragma once
#include <Foundation/Objects.h>

#pragma clang assume_nonnull begin
SENDABLE
NAMED(ProcessInfo)
@interface NSProcessInfo : NSObject
@property (class, readonly, strong) NSProcessInfo *processInfo;
@property (readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@property (readonly, copy) NSArray<NSString *> *arguments;
@property (readonly, copy) NSString *hostName;
@property (readonly) int processIdentifier;
@property (readonly, copy) NSString *operatingSystemVersionString;
@property (readonly) NSUInteger activeProcessorCount;
@property (readonly) unsigned long long physicalMemory;
@property (readonly) NSTimeInterval systemUptime;
@end

NAMED(Thread)
@interface NSThread : NSObject
@property (class, readonly, strong) NSThread *currentThread;
@property (class, readonly) BOOL isMainThread;
@property (nullable, copy) NSString *name;
@property NSUInteger stackSize;
+ (void)detachNewThreadWithBlock:(void (SENDABLE ^)(void))block;
- (instancetype)initWithBlock:(void (SENDABLE ^)(void))block;
+ (void)sleepForTimeInterval:(NSTimeInterval)ti;
- (void)start;
@end

SENDABLE
NAMED(OperationQueue)
@interface NSOperationQueue : NSObject
- (void)addOperationWithBlock:(void (SENDABLE ^)(void))block;
@property NSInteger maxConcurrentOperationCount;
@property (class, readonly, strong) NSOperationQueue *mainQueue NAMED(main);
@property (nullable, assign) dispatch_queue_t underlyingQueue;
@end
#pragma clang assume_nonnull end
