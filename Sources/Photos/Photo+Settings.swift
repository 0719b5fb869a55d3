import Items

extension Photo {
  /// What a strip of pictures has beside its title: how pages show it, and how readers see its fields.
  static let settings: SettingsChange = {
    // Folders are often named by years: they are words, and no numbers to choose a range of.
    let json = """
      {
        "layout": "rows", "gap": 4,
        "filterable": ["taken", "album", "folder", "camera", "lens", "type"],
        "searchable": ["title", "folder", "camera"],
        "fields": {
          "title": {"format": "text", "label": {
            "en": "Name", "de": "Name", "fr": "Nom", "es": "Nombre", "ja": "名前", "ar": "الاسم"}},
          "taken": {"format": "date", "label": {
            "en": "Taken", "de": "Aufgenommen", "fr": "Prise de vue", "es": "Fecha de captura", "ja": "撮影日", "ar": "تاريخ الالتقاط"}},
          "album": {"format": "text", "label": {
            "en": "Album", "de": "Album", "fr": "Album", "es": "Álbum", "ja": "アルバム", "ar": "الألبوم"}},
          "folder": {"format": "text", "label": {
            "en": "Folder", "de": "Ordner", "fr": "Dossier", "es": "Carpeta", "ja": "フォルダー", "ar": "المجلد"}},
          "camera": {"format": "text", "label": {
            "en": "Camera", "de": "Kamera", "fr": "Appareil", "es": "Cámara", "ja": "カメラ", "ar": "الكاميرا"}},
          "lens": {"format": "text", "label": {
            "en": "Lens", "de": "Objektiv", "fr": "Objectif", "es": "Objetivo", "ja": "レンズ", "ar": "العدسة"}},
          "pixels": {"format": "text", "label": {
            "en": "Pixels", "de": "Pixel", "fr": "Pixels", "es": "Píxeles", "ja": "ピクセル", "ar": "البكسلات"}},
          "bytes": {"unit": "B", "label": {
            "en": "Size", "de": "Größe", "fr": "Taille", "es": "Tamaño", "ja": "サイズ", "ar": "الحجم"}},
          "type": {"format": "text", "label": {
            "en": "Type", "de": "Typ", "fr": "Type", "es": "Tipo", "ja": "種類", "ar": "النوع"}}
        }
      }
      """
    do {
      return try SettingsChange(json: Array(json.utf8))
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}
