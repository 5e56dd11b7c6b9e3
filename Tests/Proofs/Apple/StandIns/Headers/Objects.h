// Strings, collections, numbers, data, errors, and JSON. Written from Apple's documentation, with what the sources use;
// no code of Apple's.
#pragma once
#include <Foundation/Base.h>

#pragma clang assume_nonnull begin
BRIDGED("Swift.String") SENDABLE
@interface NSString : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
@end
@interface NSString (Paths)
@property (readonly, copy) NSString *lastPathComponent;
@property (readonly, copy) NSString *stringByDeletingLastPathComponent;
- (NSString *)stringByAppendingPathComponent:(NSString *)str;
@property (readonly, copy) NSString *pathExtension;
@property (readonly, copy) NSString *stringByDeletingPathExtension;
@property (readonly, copy) NSString *stringByStandardizingPath;
@end
@interface NSMutableString : NSString
@end

BRIDGED("Swift.Array")
@interface NSArray<__covariant ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger count;
@end
BRIDGED("Swift.Dictionary")
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger count;
@end
BRIDGED("Swift.Set")
@interface NSSet<__covariant ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger count;
@end
@interface NSEnumerator<ObjectType> : NSObject
- (nullable ObjectType)nextObject;
@property (readonly, copy) NSArray<ObjectType> *allObjects;
@end

SENDABLE
@interface NSValue : NSObject <NSCopying, NSSecureCoding>
@property (readonly) const char *objCType;
@end
SENDABLE
@interface NSNumber : NSValue
- (NSNumber *)initWithBool:(BOOL)value NAMED(init(value:));
- (NSNumber *)initWithChar:(char)value NAMED(init(value:));
- (NSNumber *)initWithShort:(short)value NAMED(init(value:));
- (NSNumber *)initWithUnsignedLongLong:(unsigned long long)value NAMED(init(value:));
- (NSNumber *)initWithDouble:(double)value NAMED(init(value:));
- (NSNumber *)initWithFloat:(float)value NAMED(init(value:));
- (NSNumber *)initWithInteger:(NSInteger)value NAMED(init(value:));
- (NSNumber *)initWithUnsignedInteger:(NSUInteger)value NAMED(init(value:));
- (NSNumber *)initWithLongLong:(long long)value NAMED(init(value:));
- (NSNumber *)initWithInt:(int)value NAMED(init(value:));
@property (readonly) BOOL boolValue;
@property (readonly) double doubleValue;
@property (readonly) float floatValue;
@property (readonly) int intValue NAMED(int32Value);
@property (readonly) NSInteger integerValue NAMED(intValue);
@property (readonly) long long longLongValue NAMED(int64Value);
@property (readonly) unsigned long long unsignedLongLongValue NAMED(uint64Value);
@property (readonly, copy) NSString *stringValue;
@end

typedef ENUM(NSUInteger, NSRoundingMode) { NSRoundPlain, NSRoundDown, NSRoundUp, NSRoundBankers };
typedef struct {
  signed int _exponent:8; unsigned int _length:4; unsigned int _isNegative:1; unsigned int _isCompact:1; unsigned int _reserved:18;
  unsigned short _mantissa[8];
} NSDecimal NAMED(Decimal);
@interface NSNumber (Decimal)
@property (readonly) NSDecimal decimalValue;
@end
SENDABLE
@interface NSDecimalNumber : NSNumber
- (instancetype)initWithDecimal:(NSDecimal)dcm;
- (instancetype)initWithString:(nullable NSString *)numberValue;
@end

SENDABLE
@interface NSNull : NSObject <NSCopying, NSSecureCoding>
@end

typedef NSString *NSErrorDomain;
typedef NSString *NSErrorUserInfoKey;
BRIDGED("Swift.Error") SENDABLE
@interface NSError : NSObject <NSCopying, NSSecureCoding>
@property (readonly, copy) NSErrorDomain domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSDictionary<NSErrorUserInfoKey, id> *userInfo;
- (instancetype)initWithDomain:(NSErrorDomain)domain code:(NSInteger)code userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)dict;
@property (readonly, copy) NSString *localizedDescription;
@end
SENDABLE extern NSErrorUserInfoKey const NSLocalizedDescriptionKey;
SENDABLE extern NSErrorUserInfoKey const NSUnderlyingErrorKey;
SENDABLE extern NSErrorUserInfoKey const NSFilePathErrorKey;
SENDABLE extern NSErrorUserInfoKey const NSURLErrorKey;
SENDABLE extern NSErrorDomain const NSURLErrorDomain;
SENDABLE extern NSErrorDomain const NSPOSIXErrorDomain;
SENDABLE extern NSErrorDomain const NSCocoaErrorDomain;

BRIDGED("Foundation.Data") SENDABLE
@interface NSData : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
@end
BRIDGED("Foundation.URL") SENDABLE
@interface NSURL : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("Foundation.Date") SENDABLE
@interface NSDate : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("Foundation.UUID") SENDABLE
@interface NSUUID : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("Foundation.Locale") SENDABLE
@interface NSLocale : NSObject <NSCopying, NSSecureCoding>
@end

typedef OPTIONS(NSUInteger, NSDataWritingOptions) { NSDataWritingAtomic NAMED(atomic) = 1, NSDataWritingWithoutOverwriting NAMED(withoutOverwriting) = 2, NSDataWritingFileProtectionNone NAMED(noFileProtection) = 0x10000000, NSDataWritingFileProtectionComplete NAMED(completeFileProtection) = 0x20000000 } NAMED(NSData.WritingOptions);
typedef OPTIONS(NSUInteger, NSDataSearchOptions) { NSDataSearchBackwards = 1, NSDataSearchAnchored = 2 } NAMED(NSData.SearchOptions);
typedef OPTIONS(NSUInteger, NSDataReadingOptions) { NSDataReadingMappedIfSafe NAMED(mappedIfSafe) = 1, NSDataReadingUncached NAMED(uncached) = 2, NSDataReadingMappedAlways NAMED(alwaysMapped) = 8 } NAMED(NSData.ReadingOptions);
typedef OPTIONS(NSUInteger, NSDataBase64EncodingOptions) { NSDataBase64Encoding64CharacterLineLength = 1 } NAMED(NSData.Base64EncodingOptions);
typedef OPTIONS(NSUInteger, NSDataBase64DecodingOptions) { NSDataBase64DecodingIgnoreUnknownCharacters = 1 } NAMED(NSData.Base64DecodingOptions);
typedef OPTIONS(NSUInteger, NSStringCompareOptions) { NSCaseInsensitiveSearch NAMED(caseInsensitive) = 1, NSLiteralSearch NAMED(literal) = 2, NSBackwardsSearch NAMED(backwards) = 4, NSAnchoredSearch NAMED(anchored) = 8, NSNumericSearch NAMED(numeric) = 64, NSDiacriticInsensitiveSearch NAMED(diacriticInsensitive) = 128, NSWidthInsensitiveSearch NAMED(widthInsensitive) = 256, NSRegularExpressionSearch NAMED(regularExpression) = 1024 } NAMED(NSString.CompareOptions);
typedef OPTIONS(NSUInteger, NSJSONReadingOptions) { NSJSONReadingMutableContainers = 1, NSJSONReadingMutableLeaves = 2, NSJSONReadingFragmentsAllowed = 4 } NAMED(JSONSerialization.ReadingOptions);
typedef OPTIONS(NSUInteger, NSJSONWritingOptions) { NSJSONWritingPrettyPrinted = 1, NSJSONWritingSortedKeys = 2, NSJSONWritingFragmentsAllowed = 4, NSJSONWritingWithoutEscapingSlashes = 8 } NAMED(JSONSerialization.WritingOptions);

NAMED(JSONSerialization)
@interface NSJSONSerialization : NSObject
+ (BOOL)isValidJSONObject:(id)obj;
+ (nullable NSData *)dataWithJSONObject:(id)obj options:(NSJSONWritingOptions)opt error:(NSError **)error;
+ (nullable id)JSONObjectWithData:(NSData *)data options:(NSJSONReadingOptions)opt error:(NSError **)error;
@end

NAMED(PropertyListSerialization)
@interface NSPropertyListSerialization : NSObject
@end
typedef ENUM(NSUInteger, NSPropertyListFormat) { NSPropertyListOpenStepFormat NAMED(openStep) = 1, NSPropertyListXMLFormat_v1_0 NAMED(xml) = 100, NSPropertyListBinaryFormat_v1_0 NAMED(binary) = 200 } NAMED(PropertyListSerialization.PropertyListFormat);
#pragma clang assume_nonnull end
