// The root class. Written from Apple's documentation; no code of Apple's.
#pragma once
#include <objc/NSObjCRuntime.h>
#include <objc/objc.h>
#if __OBJC__
#pragma clang assume_nonnull begin
@class NSString;

@protocol NSObject
- (instancetype)self;
- (BOOL)isEqual:(nullable id)object;
- (BOOL)isProxy;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)respondsToSelector:(SEL)aSelector;
- (BOOL)conformsToProtocol:(Protocol *)aProtocol;
@property (readonly) NSUInteger hash;
@property (readonly) Class superclass;
@property (readonly, copy) NSString *description;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject> { Class isa; }
+ (instancetype)new;
- (instancetype)init;
- (void)dealloc __attribute__((unavailable));
- (id)copy;
- (id)mutableCopy;
@end
#pragma clang assume_nonnull end
#endif
