# Creates, polls and downloads with the clients of Ruby, as an app does that knows nothing of tasksim.
require "json"
require "net/http"
require "open-uri"

PREDICTIONS = "https://api.replicate.com/v1/predictions"
HEADERS = {
  "Authorization" => "Bearer #{ENV["REPLICATE_API_TOKEN"]}",
  "Content-Type" => "application/json"
}
BODY = { version: "acme/image-1", input: { prompt: "a fox" } }.to_json

def create
  JSON.parse(Net::HTTP.post(URI(PREDICTIONS), BODY, HEADERS).body)
end

CLIENTS = {
  "net/http" => ->(url) { Net::HTTP.get_response(URI(url), HEADERS).body },
  "open-uri" => ->(url) { URI.parse(url).open(HEADERS).read }
}

def outcome(get)
  made = create
  made = JSON.parse(get.(made["urls"]["get"])) until made["status"] == "succeeded"
  get.([made["output"]].flatten.first).byteslice(1, 3) == "PNG" ? "ok" : "no picture"
rescue => error
  error.message
end

ARGV.each { |name| puts [name, outcome(CLIENTS[name])].to_json }
