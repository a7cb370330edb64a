// Patterns of pages that scripts build.
extension InterstitialPatterns {
    /// Phrases that such pages show to visitors without scripts.
    static let scriptPhrases = PhraseList(
        """
        enable javascript
        javascript is required
        javascript is disabled
        javascript to be enabled
        javascript must be enabled
        requires javascript
        needs javascript
        turn on javascript
        without javascript
        javascript enabled
        # German, French, Spanish, Italian, Portuguese, Dutch, Polish
        aktivieren sie javascript
        javascript aktivieren
        javascript ist deaktiviert
        benötigt javascript
        activer javascript
        activez javascript
        javascript est désactivé
        habilite javascript
        habilita javascript
        activa javascript
        active javascript
        activar javascript
        abilita javascript
        attiva javascript
        ative o javascript
        habilitar o javascript
        schakel javascript in
        włącz javascript
        włączyć javascript
        # Russian, Turkish, Japanese, Chinese, Korean
        включите javascript
        включить javascript
        javascript'i etkinleştirin
        javascriptを有効
        启用javascript
        启用 javascript
        啟用 javascript
        javascript를 활성화
        """)
    /// Complete texts that such pages show until scripts have run.
    static let loadingWords = PhraseList(
        """
        loading
        please wait
        lädt
        wird geladen
        chargement
        chargement en cours
        cargando
        caricamento
        carregando
        laden
        ładowanie
        загрузка
        yükleniyor
        読み込み中
        加载中
        正在加载
        載入中
        로딩 중
        """)
    /// Ids of elements that scripts fill.
    static let scriptRoots: Set<String> = [
        "root", "app", "__next", "__nuxt", "___gatsby", "svelte", "main-app", "app-root", "react-root",
    ]
}
