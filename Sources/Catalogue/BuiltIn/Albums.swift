import Windowing

extension BuiltIn {
  /// Fifty well-known albums in the order of their release, in one group for each year.
  static func albums(version: String) throws(CatalogueError) -> Edition {
    var settings = StripSettings(title: "Albums")
    settings.gap = .px(10)
    settings.filterable = ["genre", "year", "label", "subtitle"]
    settings.searchable = ["title", "subtitle"]
    var items: [Item] = []
    for (index, line) in albums.split(separator: "\n").enumerated() {
      let cells = line.split(separator: "|").map(String.init)
      let (year, title, artist, label, genre) = (cells[0], cells[1], cells[2], cells[3], cells[4])
      items.append(
        try Item(
          id: "a\(index)", kind: "album", aspect: Aspect(checking: 1), group: year,
          fields: Fields([
            ("title", .string(title)), ("subtitle", .string(artist)),
            ("image", .string("/covers/a\(index).svg")),
            ("alt", .string("A cover drawn for \(title) by \(artist)")), ("year", .number(year)),
            ("label", .string(label)), ("genre", .string(genre)),
          ])))
    }
    return try edition(name: "albums", settings: settings, version: version, items: items)
  }

  /// Year, title, artist, label, genre.
  private static let albums = """
    1959|Kind of Blue|Miles Davis|Columbia|Modal jazz
    1965|A Love Supreme|John Coltrane|Impulse!|Jazz
    1966|Pet Sounds|The Beach Boys|Capitol|Pop
    1969|Abbey Road|The Beatles|Apple|Rock
    1971|Tapestry|Carole King|Ode|Singer-songwriter
    1971|What's Going On|Marvin Gaye|Tamla|Soul
    1971|Blue|Joni Mitchell|Reprise|Singer-songwriter
    1971|Who's Next|The Who|Track|Rock
    1971|Led Zeppelin IV|Led Zeppelin|Atlantic|Hard rock
    1972|The Rise and Fall of Ziggy Stardust and the Spiders from Mars|David Bowie|RCA|Glam rock
    1972|Talking Book|Stevie Wonder|Tamla|Soul
    1973|The Dark Side of the Moon|Pink Floyd|Harvest|Progressive rock
    1973|Head Hunters|Herbie Hancock|Columbia|Jazz-funk
    1975|Blood on the Tracks|Bob Dylan|Columbia|Folk rock
    1975|Born to Run|Bruce Springsteen|Columbia|Rock
    1975|The Köln Concert|Keith Jarrett|ECM|Jazz
    1976|Songs in the Key of Life|Stevie Wonder|Tamla|Soul
    1976|Hotel California|Eagles|Asylum|Rock
    1977|Rumours|Fleetwood Mac|Warner Bros.|Soft rock
    1977|Exodus|Bob Marley and the Wailers|Island|Reggae
    1977|Trans-Europe Express|Kraftwerk|Kling Klang|Electronic
    1978|Parallel Lines|Blondie|Chrysalis|New wave
    1979|London Calling|The Clash|CBS|Punk rock
    1979|Unknown Pleasures|Joy Division|Factory|Post-punk
    1980|Back in Black|AC/DC|Atlantic|Hard rock
    1980|Remain in Light|Talking Heads|Sire|New wave
    1982|Thriller|Michael Jackson|Epic|Pop
    1984|Purple Rain|Prince and the Revolution|Warner Bros.|Pop
    1985|Hounds of Love|Kate Bush|EMI|Art pop
    1986|Graceland|Paul Simon|Warner Bros.|Pop
    1986|The Queen Is Dead|The Smiths|Rough Trade|Indie rock
    1987|The Joshua Tree|U2|Island|Rock
    1988|It Takes a Nation of Millions to Hold Us Back|Public Enemy|Def Jam|Hip hop
    1989|Disintegration|The Cure|Fiction|Gothic rock
    1991|Blue Lines|Massive Attack|Wild Bunch|Trip hop
    1991|Nevermind|Nirvana|DGC|Grunge
    1991|Loveless|My Bloody Valentine|Creation|Shoegaze
    1992|Automatic for the People|R.E.M.|Warner Bros.|Alternative rock
    1994|Illmatic|Nas|Columbia|Hip hop
    1994|Dummy|Portishead|Go! Beat|Trip hop
    1995|(What's the Story) Morning Glory?|Oasis|Creation|Britpop
    1997|OK Computer|Radiohead|Parlophone|Alternative rock
    1997|Homogenic|Björk|One Little Indian|Electronic
    1998|Moon Safari|Air|Source|Electronic
    1998|The Miseducation of Lauryn Hill|Lauryn Hill|Ruffhouse|Neo soul
    2000|Stankonia|OutKast|LaFace|Hip hop
    2001|Discovery|Daft Punk|Virgin|House
    2004|Funeral|Arcade Fire|Merge|Indie rock
    2006|Back to Black|Amy Winehouse|Island|Soul
    2015|To Pimp a Butterfly|Kendrick Lamar|Top Dawg|Hip hop
    """
}
