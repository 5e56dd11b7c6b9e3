// Files and streams. Written from Apple's documentation, with what the sources use;
// no code of Apple's.
#pragma once
#include <Foundation/Processes.h>

#pragma clang assume_nonnull begin
typedef NSString *NSFileAttributeKey STRUCT_ENUM NAMED(FileAttributeKey);
typedef NSString *NSFileAttributeType STRUCT_ENUM NAMED(FileAttributeType);
extern NSFileAttributeKey const NSFileType NAMED(FileAttributeKey.type), NSFileSize NAMED(FileAttributeKey.size), NSFileModificationDate NAMED(FileAttributeKey.modificationDate), NSFilePosixPermissions NAMED(FileAttributeKey.posixPermissions), NSFileProtectionKey NAMED(FileAttributeKey.protectionKey), NSFileSystemFileNumber NAMED(FileAttributeKey.systemFileNumber);
typedef NSString *NSFileProtectionType STRUCT_ENUM NAMED(FileProtectionType);
extern NSFileProtectionType const NSFileProtectionCompleteUntilFirstUserAuthentication NAMED(FileProtectionType.completeUntilFirstUserAuthentication);
typedef ENUM(NSUInteger, NSSearchPathDirectory) { NSApplicationSupportDirectory NAMED(applicationSupportDirectory) = 14, NSCachesDirectory NAMED(cachesDirectory) = 13, NSDocumentDirectory NAMED(documentDirectory) = 9 } NAMED(FileManager.SearchPathDirectory);
typedef OPTIONS(NSUInteger, NSSearchPathDomainMask) { NSUserDomainMask NAMED(userDomainMask) = 1, NSLocalDomainMask NAMED(localDomainMask) = 2 } NAMED(FileManager.SearchPathDomainMask);
typedef OPTIONS(NSUInteger, NSDirectoryEnumerationOptions) { NSDirectoryEnumerationSkipsSubdirectoryDescendants NAMED(skipsSubdirectoryDescendants) = 1, NSDirectoryEnumerationSkipsHiddenFiles NAMED(skipsHiddenFiles) = 4 } NAMED(FileManager.DirectoryEnumerationOptions);
typedef NSString *NSURLResourceKey STRUCT_ENUM NAMED(URLResourceKey);
extern NSURLResourceKey const NSURLFileSizeKey NAMED(URLResourceKey.fileSizeKey), NSURLIsDirectoryKey NAMED(URLResourceKey.isDirectoryKey), NSURLIsRegularFileKey NAMED(URLResourceKey.isRegularFileKey), NSURLVolumeAvailableCapacityForImportantUsageKey NAMED(URLResourceKey.volumeAvailableCapacityForImportantUsageKey);
NAMED(FileManager.DirectoryEnumerator)
@interface NSDirectoryEnumerator<ObjectType> : NSEnumerator<ObjectType>
@end
NAMED(FileManager)
@interface NSFileManager : NSObject
- (nullable NSURL *)containerURLForSecurityApplicationGroupIdentifier:(NSString *)groupIdentifier;
@property (class, readonly, strong) NSFileManager *defaultManager;
- (NSArray<NSURL *> *)URLsForDirectory:(NSSearchPathDirectory)directory inDomains:(NSSearchPathDomainMask)domainMask NAMED(urls(for:in:));
- (nullable NSURL *)URLForDirectory:(NSSearchPathDirectory)directory inDomain:(NSSearchPathDomainMask)domain appropriateForURL:(nullable NSURL *)url create:(BOOL)shouldCreate error:(NSError **)error NAMED(url(for:in:appropriateFor:create:));
- (BOOL)createDirectoryAtURL:(NSURL *)url withIntermediateDirectories:(BOOL)c attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)a error:(NSError **)error;
- (BOOL)createDirectoryAtPath:(NSString *)path withIntermediateDirectories:(BOOL)c attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)a error:(NSError **)error;
- (BOOL)createSymbolicLinkAtURL:(NSURL *)url withDestinationURL:(NSURL *)dest error:(NSError **)error;
- (BOOL)setAttributes:(NSDictionary<NSFileAttributeKey, id> *)attributes ofItemAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSDictionary<NSFileAttributeKey, id> *)attributesOfItemAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSArray<NSURL *> *)contentsOfDirectoryAtURL:(NSURL *)url includingPropertiesForKeys:(nullable NSArray<NSURLResourceKey> *)keys options:(NSDirectoryEnumerationOptions)mask error:(NSError **)error;
- (nullable NSDirectoryEnumerator<NSURL *> *)enumeratorAtURL:(NSURL *)url includingPropertiesForKeys:(nullable NSArray<NSURLResourceKey> *)keys options:(NSDirectoryEnumerationOptions)mask errorHandler:(BOOL (^ _Nullable)(NSURL *url, NSError *error))handler;
- (BOOL)copyItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)moveItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)removeItemAtURL:(NSURL *)URL error:(NSError **)error;
- (BOOL)removeItemAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)linkItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)linkItemAtPath:(NSString *)srcPath toPath:(NSString *)dstPath error:(NSError **)error;
- (BOOL)copyItemAtPath:(NSString *)srcPath toPath:(NSString *)dstPath error:(NSError **)error;
- (BOOL)createSymbolicLinkAtPath:(NSString *)path withDestinationPath:(NSString *)destPath error:(NSError **)error;
- (nullable NSString *)destinationOfSymbolicLinkAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)fileExistsAtPath:(NSString *)path;
- (BOOL)fileExistsAtPath:(NSString *)path isDirectory:(nullable BOOL *)isDirectory;
- (BOOL)moveItemAtPath:(NSString *)srcPath toPath:(NSString *)dstPath error:(NSError **)error;
- (BOOL)isExecutableFileAtPath:(NSString *)path;
- (BOOL)isReadableFileAtPath:(NSString *)path;
- (BOOL)createFileAtPath:(NSString *)path contents:(nullable NSData *)data attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attr;
- (nullable NSData *)contentsAtPath:(NSString *)path;
@property (readonly, copy) NSURL *temporaryDirectory API_AVAILABLE(macos(10.12), ios(10.0), watchos(3.0), tvos(10.0));
@property (readonly, copy) NSString *currentDirectoryPath;
@end

SENDABLE
NAMED(FileHandle)
@interface NSFileHandle : NSObject
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardInput NAMED(standardInput);
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardOutput NAMED(standardOutput);
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardError NAMED(standardError);
@property (class, readonly, strong) NSFileHandle *fileHandleWithNullDevice NAMED(nullDevice);
- (instancetype)initWithFileDescriptor:(int)fd closeOnDealloc:(BOOL)closeopt;
+ (nullable instancetype)fileHandleForReadingFromURL:(NSURL *)url error:(NSError **)error NAMED(init(forReadingFrom:));
+ (nullable instancetype)fileHandleForWritingToURL:(NSURL *)url error:(NSError **)error NAMED(init(forWritingTo:));
+ (nullable instancetype)fileHandleForUpdatingURL:(NSURL *)url error:(NSError **)error NAMED(init(forUpdating:));
- (void)writeData:(NSData *)data NAMED(write(_:));
+ (nullable instancetype)fileHandleForWritingAtPath:(NSString *)path NAMED(init(forWritingAtPath:));
+ (nullable instancetype)fileHandleForReadingAtPath:(NSString *)path NAMED(init(forReadingAtPath:));
- (NSData *)readDataToEndOfFile;
@property (readonly, copy) NSData *availableData;
- (BOOL)closeAndReturnError:(NSError **)error API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0)) NAMED(close());
- (BOOL)synchronizeAndReturnError:(NSError **)error API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0)) NAMED(synchronize());
- (BOOL)truncateAtOffset:(unsigned long long)offset error:(NSError **)error API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0)) NAMED(truncate(atOffset:));
@property (readonly) int fileDescriptor;
@end

typedef ENUM(NSUInteger, NSStreamStatus) { NSStreamStatusNotOpen = 0 };
NAMED(Stream)
@interface NSStream : NSObject
@end
NAMED(InputStream)
@interface NSInputStream : NSStream
- (instancetype)initWithData:(NSData *)data;
@end
#pragma clang assume_nonnull end
