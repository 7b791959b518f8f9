import { PORT_VARIABLE, type PreloadRules, refusalOf } from './rules.js'

/**
 * Ruby's preload. For `https`, the client of its standard library reads the variable of the proxy for `http`, which is
 * not set, so that the plain traffic of an app stays as it is.
 */
export function rubyPreload({ authorities, passing }: PreloadRules): string {
  return `require "socket"

module TasksimIntercept
  PORT = ENV["${PORT_VARIABLE}"]
  AUTHORITIES = ${JSON.stringify(authorities)}.freeze
  PASSING = ${JSON.stringify(passing.map((text) => text.toLowerCase()))}.freeze

  def self.target(host, port)
    name = host.to_s.downcase.chomp(".")
    return ["127.0.0.1", PORT.to_i] if AUTHORITIES.include?("#{name}:#{port}")
    refuse(name) if port.to_i == 443 && foreign?(name)
    [host, port]
  end

  def self.foreign?(name)
    !name.match?(/\\A[\\d.]+\\z|:/) && PASSING.none? { |pattern| File.fnmatch?(pattern, name) }
  end

  def self.refuse(name)
    connection = TCPSocket.new("127.0.0.1", PORT.to_i)
    connection.write("CONNECT #{name}:443 HTTP/1.1\\r\\nHost: #{name}:443\\r\\n\\r\\n")
    connection.read(1)
    connection.close
    raise SocketError, ${JSON.stringify(refusalOf('HOST'))}.sub("HOST", name).sub("HOST", name)
  end

  module ForSockets
    def initialize(host = nil, port = nil, *rest, **options)
      super(*TasksimIntercept.target(host, port), *rest, **options)
    end
  end

  module ForConnections
    def tcp(host, port, *rest, **options, &block)
      super(*TasksimIntercept.target(host, port), *rest, **options, &block)
    end
  end
end

if TasksimIntercept::PORT
  TCPSocket.prepend(TasksimIntercept::ForSockets)
  Socket.singleton_class.prepend(TasksimIntercept::ForConnections)
end
`
}
