/// The address of an object's first stored property, for operations that need an address that stays the
/// same: those of atomic values and of locks.
///
/// Swift stores the properties of a class without a superclass in the order of their declaration, after
/// the header of the object, which does not move. The standard library and swift-atomics rely on this as
/// well. Only the initializer may use the property itself: any other use would be a conflicting access.
///
/// - Parameter type: the type of the first property in the root class of `object`.
// Safe: the caller keeps the object, and uses the address only for atomic operations or as a lock.
@unsafe @inline(__always)
func firstProperty<Value>(of object: AnyObject, as type: Value.Type) -> UnsafeMutablePointer<Value>
{
  unsafe _getUnsafePointerToStoredProperties(object).assumingMemoryBound(to: type)
}
