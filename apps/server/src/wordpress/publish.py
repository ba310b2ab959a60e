# Publishes to a WordPress site with Python's own XML-RPC client: ADDRESS HOST USER PASSWORD
import sys
import xmlrpc.client

address, host, user, password = sys.argv[1:]


class Transport(xmlrpc.client.Transport):
    def send_headers(self, connection, headers):
        connection.putheader("Host", host)
        super().send_headers(connection, headers)

    def send_request(self, host_, handler, request_body, debug):
        connection = self.make_connection(host_)
        connection.putrequest("POST", handler, skip_host=True)
        connection.putheader("Content-Type", "text/xml")
        self.send_headers(connection, [])
        self.send_content(connection, request_body)
        return connection


site = xmlrpc.client.ServerProxy(f"http://{address}/xmlrpc.php", transport=Transport())
image = xmlrpc.client.Binary(bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6364f8cf500f00038601805a347d6b0000000049454e44ae426082"))
file = site.wp.uploadFile(0, user, password, {"name": "punto.png", "type": "image/png", "bits": image})
post = site.wp.newPost(0, user, password, {"post_title": "Desde Python", "post_content": f"Ñ {file['url']}", "post_status": "publish"})
read = site.wp.getPost(0, user, password, post)
print(read["post_title"], len(site.wp.getPosts(0, user, password, {"number": 5})))
try:
    site.wp.getPosts(0, user, "wrong", {})
except xmlrpc.client.Fault as fault:
    print(fault.faultCode)
