/// A sentence as text and as bytes in each encoding (created with Python's codecs), long enough to be recognised.
enum EastAsianSamples {
    static let all: [String: (text: String, hex: String)] = [
        "shift_jis": (
            "これは日本語の文章です。文字コードを自動で判別できるはずです。",
            "82b182ea82cd93fa967b8cea82cc95b68fcd82c582b7814295b68e9a8352815b836882f08ea993ae82c594bb95ca82c5"
                + "82ab82e982cd82b882c582b78142"
        ),
        "euc-jp": (
            "これは日本語の文章です。文字コードを自動で判別できるはずです。",
            "a4b3a4eca4cfc6fccbdcb8eca4cecab8becfa4c7a4b9a1a3cab8bbfaa5b3a1bca5c9a4f2bcabc6b0a4c7c8bdcacca4c7"
                + "a4ada4eba4cfa4baa4c7a4b9a1a3"
        ),
        "gb18030": (
            "这是一个中文网页,用来测试编码自动检测的功能。我们希望它能正确显示。",
            "d5e2cac7d2bbb8f6d6d0cec4cdf8d2b32cd3c3c0b4b2e2cad4b1e0c2ebd7d4b6afbcecb2e2b5c4b9a6c4dca1a3ced2c3"
                + "c7cfa3cdfbcbfcc4dcd5fdc8b7cfd4cabea1a3"
        ),
        "big5": (
            "這是一個中文網頁,用來測試編碼自動偵測的功能。我們希望它能正確顯示。",
            "b36fac4fa440add3a4a4a4e5baf4adb62ca5cea8d3b4fab8d5bd73bd58a6dbb0cab0bbb4faaabaa55cafe0a143a7daad"
                + "cca7c6b1e6a5a6afe0a5bfbd54c5e3a5dca143"
        ),
        "euc-kr": (
            "이것은 한국어 문장입니다. 문자 인코딩을 자동으로 감지할 수 있어야 합니다.",
            "c0ccb0cdc0ba20c7d1b1b9beee20b9aec0e5c0d4b4cfb4d92e20b9aec0da20c0cec4dab5f9c0bb20c0dab5bfc0b8b7ce"
                + "20b0a8c1f6c7d220bcf620c0d6beeebedf20c7d5b4cfb4d92e"
        ),
    ]
}
