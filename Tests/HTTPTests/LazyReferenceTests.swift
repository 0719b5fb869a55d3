import HTTP
import Testing

@Suite struct LazyReferenceTests {
  private final class Object: Sendable {}

  @Test func `a reference keeps the object that is stored first`() {
    let reference = LazyReference<Object>()
    #expect(reference.load() == nil)
    let first = Object()
    #expect(reference.storeIfNil(first) === first)
    #expect(reference.storeIfNil(Object()) === first)
    #expect(reference.load() === first)
  }

  @Test func `a reference releases its object and the one that it rejects`() {
    weak var first: Object?
    weak var second: Object?
    do {
      let reference = LazyReference<Object>()
      let (stored, rejected) = (Object(), Object())
      (first, second) = (stored, rejected)
      _ = reference.storeIfNil(stored)
      _ = reference.storeIfNil(rejected)
    }
    #expect(first == nil)
    #expect(second == nil)
  }
}
