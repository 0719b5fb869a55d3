"""Request heads like those of browsers: ten fields, in 64 different forms."""

ALL = "gzip, deflate, br, zstd"
NONE = "identity"


def browsers(accepted: str | None) -> list[str]:
    """The heads of 64 browsers that accept these codings. If `accepted` is None: one head with only a
    Host."""
    if accepted is None:
        return ["Host: 127.0.0.1\r\n\r\n"]
    return [
        "Host: 127.0.0.1\r\n"
        "Connection: keep-alive\r\n"
        f'sec-ch-ua: "Chromium";v="{100 + number}", "Not?A_Brand";v="24"\r\n'
        "sec-ch-ua-mobile: ?0\r\n"
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
        f"Chrome/{100 + number}.0.0.0 Safari/537.36\r\n"
        "Accept: */*\r\n"
        "Sec-Fetch-Site: same-origin\r\n"
        f"Referer: http://127.0.0.1/?strip=many&x={number}\r\n"
        f"Accept-Encoding: {accepted}\r\n"
        "Accept-Language: en-US,en;q=0.9\r\n\r\n"
        for number in range(64)
    ]
