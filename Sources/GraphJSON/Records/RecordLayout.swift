/// The expected members of an object, and the slots of their values: for ``ResponseParser``, which reads it
/// from plain memory. The owner of the memory keeps it alive while it is used.
// Safe: the owner of the layout frees its memory after the last parser that uses it.
@unsafe package struct RecordLayout {
  /// A part of a record, with a header of its own.
  package struct Part: BitwiseCopyable {
    let offset: Int32
    let slotCount: Int32

    package init(offset: Int, slotCount: Int) {
      self.offset = Int32(offset)
      self.slotCount = Int32(slotCount)
    }
  }

  /// A slot that leads to a part of a record: for ``links``, of the same one, and for ``Step/targets``, of the records
  /// of the member's objects.
  package struct Target: BitwiseCopyable {
    let slot: Int32
    let part: Int32

    package init(slot: Int, part: Int) {
      self.slot = Int32(slot)
      self.part = Int32(part)
    }
  }

  let steps: UnsafeBufferPointer<RecordStep>
  let parts: UnsafeBufferPointer<Part>
  let links: UnsafeBufferPointer<Target>
  /// The slots that no step and no link sets.
  let emptySlots: UnsafeBufferPointer<Int32>
  let size: Int

  /// - Parameter parts: one after another, without a gap.
  package init(
    steps: [RecordStep], parts: [Part], links: [Target], size: Int
  ) {
    var set = Set(links.map(\.slot))
    for position in unsafe steps.indices {
      let targets = unsafe steps[position].targets
      for target in targets.indices { unsafe set.insert(targets[target].slot) }
    }
    let headers = Set(parts.map(\.offset))
    unsafe self.steps = .copying(steps)
    unsafe self.parts = .copying(parts)
    unsafe self.links = .copying(links)
    unsafe emptySlots = .copying(
      (0..<Int32(size)).filter { !set.contains($0) && !headers.contains($0) })
    unsafe self.size = size
  }

  package func deallocate() {
    for position in unsafe steps.indices { unsafe steps[position].deallocate() }
    unsafe steps.deallocate()
    unsafe parts.deallocate()
    unsafe links.deallocate()
    unsafe emptySlots.deallocate()
  }
}

extension UnsafeBufferPointer {
  // Safe: the owner deallocates the memory.
  static func copying(_ elements: [Element]) -> UnsafeBufferPointer {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = unsafe memory.initialize(from: elements)
    return UnsafeBufferPointer(memory)
  }
}
