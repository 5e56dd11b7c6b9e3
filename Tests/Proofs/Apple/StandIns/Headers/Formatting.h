// Time zones and formats of dates. Written from Apple's documentation, with what the sources use;
// no code of Apple's.
#pragma once
#include <Foundation/Networking.h>

#pragma clang assume_nonnull begin
BRIDGED("Foundation.TimeZone") SENDABLE
@interface NSTimeZone : NSObject <NSCopying, NSSecureCoding>
@end
typedef OPTIONS(NSUInteger, NSISO8601DateFormatOptions) { NSISO8601DateFormatWithInternetDateTime NAMED(withInternetDateTime) = 1907, NSISO8601DateFormatWithFractionalSeconds NAMED(withFractionalSeconds) = 2048 } NAMED(ISO8601DateFormatter.Options);
NAMED(ISO8601DateFormatter)
@interface NSISO8601DateFormatter : NSObject
@property (null_resettable, copy) NSTimeZone *timeZone;
@property NSISO8601DateFormatOptions formatOptions;
- (NSString *)stringFromDate:(NSDate *)date;
- (nullable NSDate *)dateFromString:(NSString *)string;
@end
NAMED(DateFormatter)
@interface NSDateFormatter : NSObject
@property (null_resettable, copy) NSTimeZone *timeZone;
@property (null_resettable, copy) NSLocale *locale;
@property (null_resettable, copy) NSString *dateFormat;
- (NSString *)stringFromDate:(NSDate *)date;
- (nullable NSDate *)dateFromString:(NSString *)string;
@end
#pragma clang assume_nonnull end
