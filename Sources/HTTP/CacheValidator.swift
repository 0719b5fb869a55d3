/// How long a response stands: until then it may be given again to a request whose head is the same,
/// byte for byte, without asking anybody.
///
///     let count = catalogue.changeCount      // before it is read
///     response.standing = Standing { catalogue.changeCount == count }
///
/// Only for a response that nothing else decides: not the body, not who asks.
package struct CacheValidator: Sendable {
  /// Whether it still does; asked before each time that the response is given again.
  package let holds: @Sendable () -> Bool

  package init(while holds: @escaping @Sendable () -> Bool) { self.holds = holds }
}
