// Locks, child processes (macOS), pipes and bundles. Written from Apple's documentation, with what the sources use;
// no code of Apple's.
#pragma once
#include <Foundation/Formatting.h>

#pragma clang assume_nonnull begin
SENDABLE
@interface NSLock : NSObject
- (void)lock;
- (void)unlock;
- (BOOL)tryLock NAMED(try());
@end
#if TARGET_OS_OSX
typedef ENUM(NSInteger, NSTaskTerminationReason) { NSTaskTerminationReasonExit = 1, NSTaskTerminationReasonUncaughtSignal = 2 } NAMED(Process.TerminationReason);
SENDABLE NAMED(Process)
@interface NSTask : NSObject
@property (nullable, copy) NSURL *executableURL;
@property (nullable, copy) NSURL *currentDirectoryURL;
@property (nullable, copy) NSArray<NSString *> *arguments;
@property (nullable, copy) NSDictionary<NSString *, NSString *> *environment;
@property (nullable, retain) id standardInput;
@property (nullable, retain) id standardOutput;
@property (nullable, retain) id standardError;
- (BOOL)launchAndReturnError:(NSError **)error NAMED(run());
- (void)interrupt;
- (void)terminate;
@property (readonly) int processIdentifier;
@property (readonly, getter=isRunning) BOOL running;
@property (readonly) int terminationStatus;
@property (readonly) NSTaskTerminationReason terminationReason;
- (void)waitUntilExit;
@end
#endif
SENDABLE
NAMED(Pipe)
@interface NSPipe : NSObject
@property (readonly, retain) NSFileHandle *fileHandleForReading;
@property (readonly, retain) NSFileHandle *fileHandleForWriting;
@end
SENDABLE
NAMED(Bundle)
@interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle NAMED(main);
@property (class, readonly, copy) NSArray<NSBundle *> *allBundles;
@property (readonly, copy) NSString *bundlePath;
@property (readonly, copy) NSURL *bundleURL;
@property (nullable, readonly, copy) NSString *bundleIdentifier;
@property (nullable, readonly, copy) NSURL *resourceURL;
- (nullable NSURL *)URLForResource:(nullable NSString *)name withExtension:(nullable NSString *)ext;
@end
#pragma clang assume_nonnull end
