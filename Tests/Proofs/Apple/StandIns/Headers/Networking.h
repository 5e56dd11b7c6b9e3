// Requests, sessions, tasks and their delegates. Written from Apple's documentation, with what the sources use;
// no code of Apple's.
#pragma once
#include <Foundation/Files.h>

#pragma clang assume_nonnull begin
typedef ENUM(NSUInteger, NSURLRequestCachePolicy) {
  NSURLRequestUseProtocolCachePolicy = 0, NSURLRequestReloadIgnoringLocalCacheData = 1, NSURLRequestReloadIgnoringLocalAndRemoteCacheData = 4,
  NSURLRequestReturnCacheDataElseLoad = 2, NSURLRequestReturnCacheDataDontLoad = 3, NSURLRequestReloadRevalidatingCacheData = 5 } NAMED(NSURLRequest.CachePolicy);
BRIDGED("Foundation.URLRequest") SENDABLE
@interface NSURLRequest : NSObject <NSSecureCoding, NSCopying, NSMutableCopying>
@end
SENDABLE
NAMED(URLResponse)
@interface NSURLResponse : NSObject <NSSecureCoding, NSCopying>
@property (nullable, readonly, copy) NSURL *URL;
@property (readonly) long long expectedContentLength;
@property (nullable, readonly, copy) NSString *MIMEType;
@end
SENDABLE
NAMED(HTTPURLResponse)
@interface NSHTTPURLResponse : NSURLResponse
- (nullable instancetype)initWithURL:(NSURL *)url statusCode:(NSInteger)statusCode HTTPVersion:(nullable NSString *)v headerFields:(nullable NSDictionary<NSString *, NSString *> *)f;
@property (readonly) NSInteger statusCode;
@property (readonly, copy) NSDictionary<id, id> *allHeaderFields;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0));
@end
SENDABLE
NAMED(CachedURLResponse)
@interface NSCachedURLResponse : NSObject <NSSecureCoding, NSCopying>
@end
SENDABLE
NAMED(URLCache)
@interface NSURLCache : NSObject
@end
typedef ENUM(NSUInteger, NSHTTPCookieAcceptPolicy) { NSHTTPCookieAcceptPolicyAlways, NSHTTPCookieAcceptPolicyNever, NSHTTPCookieAcceptPolicyOnlyFromMainDocumentDomain } NAMED(HTTPCookie.AcceptPolicy);
SENDABLE
NAMED(HTTPCookie)
@interface NSHTTPCookie : NSObject
@end
SENDABLE
NAMED(HTTPCookieStorage)
@interface NSHTTPCookieStorage : NSObject
@end
typedef ENUM(NSUInteger, NSURLCredentialPersistence) { NSURLCredentialPersistenceNone, NSURLCredentialPersistenceForSession, NSURLCredentialPersistencePermanent } NAMED(URLCredential.Persistence);
SENDABLE
NAMED(URLCredential)
@interface NSURLCredential : NSObject <NSSecureCoding, NSCopying>
- (instancetype)initWithUser:(NSString *)user password:(NSString *)password persistence:(NSURLCredentialPersistence)persistence;
@end
SENDABLE
NAMED(URLProtectionSpace)
@interface NSURLProtectionSpace : NSObject <NSSecureCoding, NSCopying>
@property (readonly, copy) NSString *host;
@property (readonly, copy) NSString *authenticationMethod;
@property (nullable, readonly, copy) NSString *realm;
@end
extern NSString * const NSURLAuthenticationMethodServerTrust;
extern NSString * const NSURLAuthenticationMethodHTTPBasic;
#ifndef CHALLENGE_SENDABLE
#define CHALLENGE_SENDABLE SENDABLE
#endif
CHALLENGE_SENDABLE
NAMED(URLAuthenticationChallenge)
@interface NSURLAuthenticationChallenge : NSObject <NSSecureCoding>
@property (readonly, copy) NSURLProtectionSpace *protectionSpace;
@property (nullable, readonly, copy) NSURLCredential *proposedCredential;
@property (readonly) NSInteger previousFailureCount;
@end

@class NSURLSession, NSURLSessionTask, NSURLSessionDataTask, NSURLSessionUploadTask, NSURLSessionDownloadTask, NSURLSessionWebSocketTask, NSURLSessionTaskMetrics;
@protocol NSURLSessionDelegate, NSURLSessionTaskDelegate;

SENDABLE
NAMED(URLSessionConfiguration)
@interface NSURLSessionConfiguration : NSObject <NSCopying>
@property (class, readonly, strong) NSURLSessionConfiguration *defaultSessionConfiguration NAMED(default);
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration NAMED(ephemeral);
+ (NSURLSessionConfiguration *)backgroundSessionConfigurationWithIdentifier:(NSString *)identifier NAMED(background(withIdentifier:));
@property (nullable, readonly, copy) NSString *identifier;
@property (nullable, copy) NSString *sharedContainerIdentifier;
@property NSURLRequestCachePolicy requestCachePolicy;
@property NSTimeInterval timeoutIntervalForRequest;
@property NSTimeInterval timeoutIntervalForResource;
@property BOOL waitsForConnectivity API_AVAILABLE(macos(10.13), ios(11.0), watchos(4.0), tvos(11.0));
@property BOOL HTTPShouldSetCookies;
@property NSHTTPCookieAcceptPolicy HTTPCookieAcceptPolicy;
@property (nullable, copy) NSDictionary *HTTPAdditionalHeaders;
@property NSInteger HTTPMaximumConnectionsPerHost;
@property (nullable, retain) NSHTTPCookieStorage *HTTPCookieStorage;
@property (nullable, retain) NSURLCache *URLCache;
@property (nullable, copy) NSArray<Class> *protocolClasses;
@end

typedef ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) {
  NSURLSessionAuthChallengeUseCredential = 0, NSURLSessionAuthChallengePerformDefaultHandling = 1,
  NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2, NSURLSessionAuthChallengeRejectProtectionSpace = 3 } NAMED(URLSession.AuthChallengeDisposition);
typedef ENUM(NSInteger, NSURLSessionResponseDisposition) {
  NSURLSessionResponseCancel = 0, NSURLSessionResponseAllow = 1, NSURLSessionResponseBecomeDownload = 2, NSURLSessionResponseBecomeStream = 3 } NAMED(URLSession.ResponseDisposition);

SENDABLE
NAMED(URLSession)
@interface NSURLSession : NSObject
@property (class, readonly, strong) NSURLSession *sharedSession NAMED(shared);
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration NAMED(init(configuration:));
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration delegate:(nullable id <NSURLSessionDelegate>)delegate delegateQueue:(nullable NSOperationQueue *)queue NAMED(init(configuration:delegate:delegateQueue:));
@property (readonly, retain) NSOperationQueue *delegateQueue;
@property (nullable, readonly, retain) id <NSURLSessionDelegate> delegate;
@property (readonly, copy) NSURLSessionConfiguration *configuration;
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
- (void)getAllTasksWithCompletionHandler:(void (SENDABLE ^)(NSArray<__kindof NSURLSessionTask *> *tasks))completionHandler NAMED(getAllTasks(completionHandler:)) __attribute__((swift_async(none)));
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromFile:(NSURL *)fileURL;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromData:(NSData *)bodyData;
- (NSURLSessionWebSocketTask *)webSocketTaskWithURL:(NSURL *)url API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0));
- (NSURLSessionWebSocketTask *)webSocketTaskWithRequest:(NSURLRequest *)request API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0));
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request completionHandler:(void (SENDABLE ^)(NSData * _Nullable data, NSURLResponse * _Nullable response, NSError * _Nullable error))completionHandler __attribute__((swift_async(none)));
@end

typedef ENUM(NSInteger, NSURLSessionTaskState) { NSURLSessionTaskStateRunning = 0, NSURLSessionTaskStateSuspended = 1, NSURLSessionTaskStateCanceling = 2, NSURLSessionTaskStateCompleted = 3 } NAMED(URLSessionTask.State);
SENDABLE
NAMED(URLSessionTask)
@interface NSURLSessionTask : NSObject <NSCopying>
@property (readonly) NSUInteger taskIdentifier;
@property (nullable, readonly, copy) NSURLRequest *originalRequest;
@property (nullable, readonly, copy) NSURLRequest *currentRequest;
@property (nullable, readonly, copy) NSURLResponse *response;
@property (nullable, retain) id <NSURLSessionTaskDelegate> delegate API_AVAILABLE(macos(12.0), ios(15.0), watchos(8.0), tvos(15.0));
@property (nullable, copy) NSString *taskDescription;
@property (readonly) NSURLSessionTaskState state;
- (void)cancel;
- (void)suspend;
- (void)resume;
@property (nullable, readonly, copy) NSError *error;
@property float priority;
@end
SENDABLE
NAMED(URLSessionDataTask)
@interface NSURLSessionDataTask : NSURLSessionTask
@end
SENDABLE
NAMED(URLSessionUploadTask)
@interface NSURLSessionUploadTask : NSURLSessionDataTask
@end
SENDABLE
NAMED(URLSessionDownloadTask)
@interface NSURLSessionDownloadTask : NSURLSessionTask
@end

typedef ENUM(NSInteger, NSURLSessionWebSocketCloseCode) {
  NSURLSessionWebSocketCloseCodeInvalid = 0, NSURLSessionWebSocketCloseCodeNormalClosure = 1000, NSURLSessionWebSocketCloseCodeGoingAway = 1001,
  NSURLSessionWebSocketCloseCodeProtocolError = 1002, NSURLSessionWebSocketCloseCodeUnsupportedData = 1003, NSURLSessionWebSocketCloseCodeNoStatusReceived = 1005,
  NSURLSessionWebSocketCloseCodeAbnormalClosure = 1006, NSURLSessionWebSocketCloseCodeInvalidFramePayloadData = 1007, NSURLSessionWebSocketCloseCodePolicyViolation = 1008,
  NSURLSessionWebSocketCloseCodeMessageTooBig = 1009, NSURLSessionWebSocketCloseCodeMandatoryExtensionMissing = 1010,
  NSURLSessionWebSocketCloseCodeInternalServerError = 1011, NSURLSessionWebSocketCloseCodeTLSHandshakeFailure = 1015 } NAMED(URLSessionWebSocketTask.CloseCode) API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0));
API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0)) SENDABLE
NAMED(URLSessionWebSocketTask)
@interface NSURLSessionWebSocketTask : NSURLSessionTask
- (void)sendPingWithPongReceiveHandler:(void (SENDABLE ^)(NSError * _Nullable error))pongReceiveHandler;
- (void)cancelWithCloseCode:(NSURLSessionWebSocketCloseCode)closeCode reason:(nullable NSData *)reason;
@property NSInteger maximumMessageSize;
@property (readonly) NSURLSessionWebSocketCloseCode closeCode;
@property (nullable, readonly, copy) NSData *closeReason;
@end

SENDABLE
NAMED(URLSessionDelegate)
@protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session didBecomeInvalidWithError:(nullable NSError *)error;
- (void)URLSession:(NSURLSession *)session didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge completionHandler:(void (SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential * _Nullable credential))completionHandler;
- (void)URLSessionDidFinishEventsForBackgroundURLSession:(NSURLSession *)session;
@end
SENDABLE
NAMED(URLSessionTaskDelegate)
@protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session didCreateTask:(NSURLSessionTask *)task API_AVAILABLE(macos(13.0), ios(16.0), watchos(9.0), tvos(16.0));
- (void)URLSession:(NSURLSession *)session taskIsWaitingForConnectivity:(NSURLSessionTask *)task API_AVAILABLE(macos(10.13), ios(11.0), watchos(4.0), tvos(11.0));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task willPerformHTTPRedirection:(NSHTTPURLResponse *)response newRequest:(NSURLRequest *)request completionHandler:(void (SENDABLE ^)(NSURLRequest * _Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge completionHandler:(void (SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential * _Nullable credential))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task needNewBodyStream:(void (SENDABLE ^)(NSInputStream * _Nullable bodyStream))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didSendBodyData:(int64_t)bytesSent totalBytesSent:(int64_t)totalBytesSent totalBytesExpectedToSend:(int64_t)totalBytesExpectedToSend;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didCompleteWithError:(nullable NSError *)error;
@end
SENDABLE
NAMED(URLSessionDataDelegate)
@protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveResponse:(NSURLResponse *)response completionHandler:(void (SENDABLE ^)(NSURLSessionResponseDisposition disposition))completionHandler;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask willCacheResponse:(NSCachedURLResponse *)proposedResponse completionHandler:(void (SENDABLE ^)(NSCachedURLResponse * _Nullable cachedResponse))completionHandler;
@end
API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0)) SENDABLE
NAMED(URLSessionWebSocketDelegate)
@protocol NSURLSessionWebSocketDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session webSocketTask:(NSURLSessionWebSocketTask *)webSocketTask didOpenWithProtocol:(nullable NSString *)protocol;
- (void)URLSession:(NSURLSession *)session webSocketTask:(NSURLSessionWebSocketTask *)webSocketTask didCloseWithCode:(NSURLSessionWebSocketCloseCode)closeCode reason:(nullable NSData *)reason;
@end

typedef ENUM(NSUInteger, NSURLCacheStoragePolicy) { NSURLCacheStorageAllowed, NSURLCacheStorageAllowedInMemoryOnly, NSURLCacheStorageNotAllowed NAMED(notAllowed) } NAMED(URLCache.StoragePolicy);
@class NSURLProtocol;
NAMED(URLProtocolClient)
@protocol NSURLProtocolClient <NSObject>
- (void)URLProtocol:(NSURLProtocol *)protocol didReceiveResponse:(NSURLResponse *)response cacheStoragePolicy:(NSURLCacheStoragePolicy)policy;
- (void)URLProtocol:(NSURLProtocol *)protocol didLoadData:(NSData *)data;
- (void)URLProtocolDidFinishLoading:(NSURLProtocol *)protocol;
- (void)URLProtocol:(NSURLProtocol *)protocol didFailWithError:(NSError *)error;
@end
NAMED(URLProtocol)
@interface NSURLProtocol : NSObject
@property (nullable, readonly, retain) id <NSURLProtocolClient> client;
@property (readonly, copy) NSURLRequest *request;
+ (BOOL)canInitWithRequest:(NSURLRequest *)request;
+ (NSURLRequest *)canonicalRequestForRequest:(NSURLRequest *)request;
- (void)startLoading;
- (void)stopLoading;
@end
#pragma clang assume_nonnull end
