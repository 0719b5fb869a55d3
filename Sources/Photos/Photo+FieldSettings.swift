import Items

extension Photo {
  /// How readers see the fields of pictures.
  static let fieldSettings: FieldSettings = {
    let labels = [
      "title": ["Name", "Name", "Nom", "Nombre", "名前", "الاسم"],
      "taken": [
        "Taken", "Aufgenommen", "Prise de vue", "Fecha de captura", "撮影日", "تاريخ الالتقاط",
      ],
      "album": ["Album", "Album", "Album", "Álbum", "アルバム", "الألبوم"],
      "folder": ["Folder", "Ordner", "Dossier", "Carpeta", "フォルダー", "المجلد"],
      "camera": ["Camera", "Kamera", "Appareil", "Cámara", "カメラ", "الكاميرا"],
      "lens": ["Lens", "Objektiv", "Objectif", "Objetivo", "レンズ", "العدسة"],
      "pixels": ["Pixels", "Pixel", "Pixels", "Píxeles", "ピクセル", "البكسلات"],
      "bytes": ["Size", "Größe", "Taille", "Tamaño", "サイズ", "الحجم"],
      "type": ["Type", "Typ", "Type", "Tipo", "種類", "النوع"],
    ]
    let formats = ["taken": #""format":"date""#, "bytes": #""unit":"B""#]
    let fields = labels.sorted { $0.key < $1.key }.map { name, texts in
      let pairs = zip(["en", "de", "fr", "es", "ja", "ar"], texts).map { #""\#($0)":"\#($1)""# }
      // Folders are often named by years, which are no numbers to choose a range of.
      let format = formats[name, default: #""format":"text""#]
      return #""\#(name)":{\#(format),"label":{\#(pairs.joined(separator: ","))}}"#
    }
    do {
      return try FieldSettings(json: "{\(fields.joined(separator: ","))}")
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}
