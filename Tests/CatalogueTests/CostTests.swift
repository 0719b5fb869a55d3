#if os(Linux)
  import CAllocator
  import CatalogueTesting
  import Glibc
  import Catalogue
  import Testing
  import Windowing

  /// The cost of each object is within a quarter of what the allocator counts. Each test is a process, so that
  /// no other test allocates meanwhile.
  @Suite struct CostTests {
    @Test func `of a dictionary`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        for count in [1000, 100_000] {
          try check("dictionary of \(count)", { ValueDictionary() }, { $0.cost }) { dictionary in
            for number in 0..<count { _ = dictionary.code(of: "a text of a field, \(number)") }
          }
        }
      }
      report(result)
    }

    @Test func `of columns, and of those after an edit`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let base = try edition()
        let need = RequiredColumns(fields: ["year", "artist", "kind"], words: true)
        try check("columns", { ItemColumns.empty }, { $0.cost }) {
          $0 = try ColumnReader(base, fields: need.fields, searched: ["title"]).read(
            pieces: ItemColumns(count: base.strip.count).starts)
        }
        let columns = try base.columns.columns(of: base, need)
        let item = try base.source.items(in: 7..<8)[0]
        try check("columns after an edit", { ItemColumns.empty }, { $0.addedCost }) {
          $0 = columns.applying(
            stride(from: 0, to: base.strip.count, by: 3000).map {
              ItemChange(index: $0, isThere: true, item: item)
            })
        }
      }
      report(result)
    }

    @Test func `of views`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let base = try edition()
        let ids = try base.source.contents(of: 0..<20_000).map(\.id)
        for (filter, sort, list) in [
          ("year < 1950", "", nil), ("year < 1902", "", nil), ("year < 1950", "artist", nil),
          ("", "title", nil), ("", "", ids), ("", "-year", ids),
        ] as [(String, String, [String]?)] {
          var query = ViewQuery()
          try query.set(.filter, to: filter)
          try query.set(.sort, to: sort)
          if list != nil { try query.set(.list, to: String(repeating: "a", count: 43)) }
          // The columns count for the strip.
          _ = try StripView.make(query, of: base, list: list)
          try check("\(filter), \(sort), \(list != nil)", { [StripView]() }, { $0[0].cost }) {
            // The ids of a request are strings of their own.
            let ids = list.map { $0.map { String(decoding: Array($0.utf8), as: UTF8.self) } }
            $0 = [try StripView.make(query, of: base, list: ids)]
          }
        }
      }
      report(result)
    }
  }

  /// Prints the figures.
  private func report(_ result: ExitTest.Result?) {
    print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
  }

  private func edition() throws -> Edition {
    var settings = StripSettings(title: "s")
    settings.filterable = ["year", "artist", "title"]
    settings.searchable = ["title"]
    let items = try (0..<60_000).map { number in
      try Item(
        id: "an id of the item \(number)", width: .px(10 + number % 90),
        fields: Fields([
          ("title", .string("The title of number \(number)")),
          ("year", .number("\(1900 + number % 100)")),
          ("artist", .string("a\(number % 3000)")),
        ]))
    }
    return try Edition(name: "s", settings: settings, revision: 1, items: items)
  }

  /// Compares the cost of an object with the bytes that `build` allocates for it.
  private func check<Object>(
    _ name: String, _ make: () -> Object, _ cost: (Object) -> Int,
    _ build: (inout Object) throws -> Void
  ) throws {
    var object = make()
    let before = allocated_bytes()
    try build(&object)
    let (said, real) = (cost(object), Int(allocated_bytes()) - Int(before))
    let line = "\(name): \(said) for \(real) bytes\n"
    _ = line.utf8.withContiguousStorageIfAvailable {
      write(STDERR_FILENO, $0.baseAddress, $0.count)
    }
    precondition(abs(said - real) * 4 <= real, "The cost is wrong.")
  }
#endif
