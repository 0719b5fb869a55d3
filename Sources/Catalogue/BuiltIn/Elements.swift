import Windowing

extension BuiltIn {
  /// The periodic table in one row: 118 elements, one group for each period, and another kind of card
  /// for noble gases.
  static func elements(version: String) throws(CatalogueError) -> Edition {
    var settings = StripSettings(title: "Elements")
    settings.height = .px(160)
    settings.gap = .px(8)
    settings.inset = .px(16)
    settings.filterable = ["category", "number", "discovered"]
    settings.searchable = ["title", "symbol", "category"]
    var items: [Item] = []
    for (row, text) in elements.split(separator: "\n").enumerated() {
      let number = row + 1
      if let period = periods.firstIndex(of: number) {
        items.append(try heading(period: period + 1))
      }
      let period = periods.prefix { $0 <= number }.count
      let cells = text.split(separator: " ").map(String.init)
      items.append(try element(number: number, period: period, cells: cells))
    }
    return try edition(name: "elements", settings: settings, version: version, items: items)
  }

  /// The atomic number of the first element of each period.
  private static let periods = [1, 3, 11, 19, 37, 55, 87]

  private static func heading(period: Int) throws(CatalogueError) -> Item {
    let first = periods[period - 1]
    let last = period < periods.count ? periods[period] - 1 : 118
    return try Item(
      id: "period-\(period)", kind: "heading", width: .px(112), group: "Period \(period)",
      fields: Fields([
        ("title", .string("Period \(period)")),
        ("subtitle", .string("\(last - first + 1) elements")),
      ]))
  }

  /// A noble gas is as wide as it is high. Any other element is wide enough for its name.
  private static func element(
    number: Int, period: Int, cells: [String]
  ) throws(CatalogueError) -> Item {
    let (symbol, name, code, year) = (cells[0], cells[1], cells[2], cells[3])
    let isGas = code == "gas"
    let category = categories[code] ?? (code, "#77797d")
    var pairs: [(name: String, value: Fields.Value)] = [
      ("title", .string(name)), ("subtitle", .string(category.0)), ("symbol", .string(symbol)),
      ("number", .number(String(number))), ("category", .string(category.0)),
    ]
    if year != "-" { pairs.append(("discovered", .number(year))) }
    pairs.append(("color", .string(category.1)))
    return try Item(
      id: symbol, kind: isGas ? "gas" : "element", aspect: isGas ? Aspect(checking: 1) : nil,
      width: isGas ? nil : .px(64 + 8 * name.count), group: "Period \(period)",
      fields: Fields(pairs))
  }

  private static let categories: [String: (String, String)] = [
    "alkali": ("Alkali metal", "#b0605a"), "earth": ("Alkaline earth metal", "#b57f4a"),
    "transition": ("Transition metal", "#5b7a99"), "metal": ("Post-transition metal", "#5f8f8a"),
    "metalloid": ("Metalloid", "#7f8a4f"), "nonmetal": ("Nonmetal", "#5f8f5b"),
    "halogen": ("Halogen", "#4f8a6b"), "gas": ("Noble gas", "#7a6f9b"),
    "lanthanide": ("Lanthanide", "#9b6f8a"), "actinide": ("Actinide", "#8a5f78"),
    "unknown": ("Chemistry not yet known", "#77797d"),
  ]

  /// Symbol, name, category, and the usual year of discovery; `-` for elements known since antiquity.
  private static let elements = """
    H Hydrogen nonmetal 1766
    He Helium gas 1895
    Li Lithium alkali 1817
    Be Beryllium earth 1797
    B Boron metalloid 1808
    C Carbon nonmetal -
    N Nitrogen nonmetal 1772
    O Oxygen nonmetal 1774
    F Fluorine halogen 1886
    Ne Neon gas 1898
    Na Sodium alkali 1807
    Mg Magnesium earth 1755
    Al Aluminium metal 1825
    Si Silicon metalloid 1824
    P Phosphorus nonmetal 1669
    S Sulfur nonmetal -
    Cl Chlorine halogen 1774
    Ar Argon gas 1894
    K Potassium alkali 1807
    Ca Calcium earth 1808
    Sc Scandium transition 1879
    Ti Titanium transition 1791
    V Vanadium transition 1801
    Cr Chromium transition 1797
    Mn Manganese transition 1774
    Fe Iron transition -
    Co Cobalt transition 1735
    Ni Nickel transition 1751
    Cu Copper transition -
    Zn Zinc transition 1746
    Ga Gallium metal 1875
    Ge Germanium metalloid 1886
    As Arsenic metalloid -
    Se Selenium nonmetal 1817
    Br Bromine halogen 1826
    Kr Krypton gas 1898
    Rb Rubidium alkali 1861
    Sr Strontium earth 1790
    Y Yttrium transition 1794
    Zr Zirconium transition 1789
    Nb Niobium transition 1801
    Mo Molybdenum transition 1778
    Tc Technetium transition 1937
    Ru Ruthenium transition 1844
    Rh Rhodium transition 1804
    Pd Palladium transition 1802
    Ag Silver transition -
    Cd Cadmium transition 1817
    In Indium metal 1863
    Sn Tin metal -
    Sb Antimony metalloid -
    Te Tellurium metalloid 1782
    I Iodine halogen 1811
    Xe Xenon gas 1898
    Cs Caesium alkali 1860
    Ba Barium earth 1808
    La Lanthanum lanthanide 1839
    Ce Cerium lanthanide 1803
    Pr Praseodymium lanthanide 1885
    Nd Neodymium lanthanide 1885
    Pm Promethium lanthanide 1945
    Sm Samarium lanthanide 1879
    Eu Europium lanthanide 1901
    Gd Gadolinium lanthanide 1880
    Tb Terbium lanthanide 1843
    Dy Dysprosium lanthanide 1886
    Ho Holmium lanthanide 1878
    Er Erbium lanthanide 1843
    Tm Thulium lanthanide 1879
    Yb Ytterbium lanthanide 1878
    Lu Lutetium lanthanide 1907
    Hf Hafnium transition 1923
    Ta Tantalum transition 1802
    W Tungsten transition 1783
    Re Rhenium transition 1925
    Os Osmium transition 1803
    Ir Iridium transition 1803
    Pt Platinum transition -
    Au Gold transition -
    Hg Mercury transition -
    Tl Thallium metal 1861
    Pb Lead metal -
    Bi Bismuth metal -
    Po Polonium metal 1898
    At Astatine halogen 1940
    Rn Radon gas 1899
    Fr Francium alkali 1939
    Ra Radium earth 1898
    Ac Actinium actinide 1899
    Th Thorium actinide 1829
    Pa Protactinium actinide 1913
    U Uranium actinide 1789
    Np Neptunium actinide 1940
    Pu Plutonium actinide 1940
    Am Americium actinide 1944
    Cm Curium actinide 1944
    Bk Berkelium actinide 1949
    Cf Californium actinide 1950
    Es Einsteinium actinide 1952
    Fm Fermium actinide 1952
    Md Mendelevium actinide 1955
    No Nobelium actinide 1966
    Lr Lawrencium actinide 1961
    Rf Rutherfordium transition 1969
    Db Dubnium transition 1970
    Sg Seaborgium transition 1974
    Bh Bohrium transition 1981
    Hs Hassium transition 1984
    Mt Meitnerium unknown 1982
    Ds Darmstadtium unknown 1994
    Rg Roentgenium unknown 1994
    Cn Copernicium unknown 1996
    Nh Nihonium unknown 2004
    Fl Flerovium unknown 1999
    Mc Moscovium unknown 2003
    Lv Livermorium unknown 2000
    Ts Tennessine unknown 2010
    Og Oganesson unknown 2002
    """
}
