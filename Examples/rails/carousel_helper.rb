require "net/http"

# app/helpers/carousel_helper.rb
module CarouselHelper
  CAROUSEL = "http://127.0.0.1:8080"

  # The whole element in one request: its first cards are in the page before any script.
  def carousel_strip(name, **attributes)
    query = { strip: name, width: 1280, overscan: 128, format: "element" }
    attributes.each { |key, value| query["attr-#{key}"] = value }
    html = Net::HTTP.get(URI("#{CAROUSEL}/window?#{URI.encode_www_form(query)}")).force_encoding("UTF-8")
    html.respond_to?(:html_safe) ? html.html_safe : html
  end
end
