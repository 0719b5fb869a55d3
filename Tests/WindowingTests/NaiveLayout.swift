import Windowing

/// The law of lists, grids and justified rows, spelled out over all items.
struct NaiveLayout {
  struct Place: Equatable {
    let index: Int
    let kind: Kind
    let start: Int
    let size: Int
    let x: Int
    let width: Int
    /// The number of its row.
    let row: Int
  }

  var places: [Place] = []
  var extent = 0
  let count: Int
  let inset: Int

  /// - Parameter groups: the titles of all items.
  init(
    _ items: [StripItem], groups: [String?], _ rule: LayoutRule, gap: Int, inset: Int,
    heading: Int
  ) {
    count = items.count
    self.inset = inset
    var runs: [(title: String?, indices: [Int])] = []
    // Without headings, groups change no position.
    let titles = heading > 0 ? groups : [String?](repeating: nil, count: items.count)
    for (index, title) in titles.enumerated() {
      if let last = runs.indices.last, runs[last].title == title {
        runs[last].indices.append(index)
      } else {
        runs.append((title, [index]))
      }
    }
    runs = runs.map { run in (run.title, run.indices.filter { !items[$0].size.isHidden }) }
      .filter { !$0.indices.isEmpty }
    switch rule {
    case .strip: fatalError("A strip has a model of its own.")
    case .list(let width, let itemHeight, let itemHeights, let caption, let ignoresAspects):
      var (inverses, fixed) = (0, 0)
      for run in runs {
        if run.title != nil { fixed += heading }
        for index in run.indices {
          let aspect = ignoresAspects ? 0 : Int(items[index].size.aspect.units)
          let top = inset + width.position * inverses / 65_536 + fixed
          if aspect > 0 {
            let inverse = (4_294_967_296 / Double(aspect) + 0.5).rounded(.down)
            inverses += min(Int(UInt32.max), Int(inverse))
          }
          let full = inset + width.position * inverses / 65_536 + fixed
          let height = itemHeights[items[index].kind] ?? itemHeight
          let length = aspect > 0 ? caption.position : height.position
          places.append(
            Place(
              index: index, kind: items[index].kind, start: top, size: full + length - top, x: 0,
              width: width.position, row: places.count))
          fixed += length + gap
        }
      }
      if let last = places.last { extent = last.start + last.size + inset }
    case .grid(let width, let columns, let cell, let caption):
      let n =
        switch columns {
        case .count(let count): count
        case .atLeast(let column): max(1, (width.position + gap) / (column.position + gap))
        }
      let edge = { (c: Int) in c * (width.position + gap) / n }
      let height = (edge(1) - gap) * 65_536 / Int(cell.units) + caption.position
      var (top, row) = (inset, 0)
      for run in runs {
        if run.title != nil { top += heading }
        for (k, index) in run.indices.enumerated() {
          if k > 0, k % n == 0 { (top, row) = (top + height + gap, row + 1) }
          places.append(
            Place(
              index: index, kind: items[index].kind, start: top, size: height, x: edge(k % n),
              width: edge(k % n + 1) - gap - edge(k % n), row: row))
        }
        (top, row) = (top + height + gap, row + 1)
      }
      extent = top - gap + inset
    case .rows(let width, let target, let cell):
      var (top, row) = (inset, 0)
      func aspect(_ index: Int) -> Int {
        let own = Int(items[index].size.aspect.units)
        return min(327_680, max(13_107, own == 0 ? Int(cell.units) : own))
      }
      for run in runs {
        if run.title != nil { top += heading }
        var rest = run.indices[...]
        while !rest.isEmpty {
          var line: [Int] = []
          var (sum, isFull) = (0, false)
          while !isFull, let next = rest.popFirst() {
            line.append(next)
            sum += aspect(next)
            isFull = sum * target.position >= (width.position - (line.count - 1) * gap) * 65_536
          }
          let free = width.position - (line.count - 1) * gap
          let height = isFull ? max(0, free) * 65_536 / sum : target.position
          var before = 0
          for (j, index) in line.enumerated() {
            let x = height * before / 65_536 + j * gap
            before += aspect(index)
            let end =
              isFull && j == line.count - 1 ? width.position : height * before / 65_536 + j * gap
            places.append(
              Place(
                index: index, kind: items[index].kind, start: top, size: height, x: x,
                width: max(0, end - x), row: row))
          }
          (top, row) = (top + height + gap, row + 1)
        }
      }
      extent = top - gap + inset
    }
    if places.isEmpty { extent = 2 * inset }
  }

  /// The items of the rows that meet a span, and the range of the window.
  func window(_ low: Int, _ high: Int) -> (range: Range<Int>, places: [Place]) {
    let met = places.filter { $0.start < high && $0.start + $0.size > low && $0.size > 0 }
    guard let first = met.first, let last = met.last else {
      let index = places.first { $0.start + $0.size > low }?.index ?? count
      return (index..<index, [])
    }
    return (first.index..<last.index + 1, met)
  }

  /// P(k), over all pairs of rows.
  func pools(limit: Int, kinds: Int) -> [Int] {
    var pools = [Int](repeating: 0, count: kinds)
    let rows = Dictionary(grouping: places, by: \.row).sorted { $0.key < $1.key }.map(\.value)
    for i in rows.indices {
      var counts = [Int](repeating: 0, count: kinds)
      for j in i..<rows.count {
        if rows[j][0].start - (rows[i][0].start + rows[i][0].size) > limit { break }
        for place in rows[j] { counts[Int(place.kind.number)] += 1 }
        for kind in 0..<kinds { pools[kind] = max(pools[kind], counts[kind]) }
      }
    }
    return pools
  }

  /// The start and size of the row of an item; of the next row for a hidden item.
  func bounds(of index: Int) -> (start: Int, size: Int) {
    guard let place = places.first(where: { $0.index >= index }) else { return (extent - inset, 0) }
    return (place.start, place.index == index ? place.size : 0)
  }
}

extension Length {
  init(_ units: Int) { self.init(units: Int64(units)) }

  var position: Int { Int(units) }
}
