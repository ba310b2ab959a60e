<?php
// A request of a site to its own address goes to the platform's socket: sites cannot connect to this machine otherwise.

if ( ! isset( $_SERVER['NIDO_LOOPBACK'] ) ) {
	return;
}

/** Whether an address is the site's own. */
function nido_is_own( $url ) {
	$own = wp_parse_url( WP_HOME );
	$to  = wp_parse_url( $url );
	return isset( $to['host'] ) && strtolower( $to['host'] ) === $own['host'] && ( $to['port'] ?? 0 ) === ( $own['port'] ?? 0 );
}

add_filter(
	'http_request_args',
	static function ( $args, $url ) {
		if ( nido_is_own( $url ) && is_array( $args['headers'] ?? array() ) ) {
			$args['headers']['X-Nido-Loopback'] = explode( ' ', $_SERVER['NIDO_LOOPBACK'] )[1];
		}
		return $args;
	},
	PHP_INT_MAX,
	2
);

add_action(
	'http_api_curl',
	static function ( $handle ) {
		// After a redirect, it is another address than the one that was asked for.
		$url    = curl_getinfo( $handle, CURLINFO_EFFECTIVE_URL );
		$is_own = nido_is_own( $url );
		curl_setopt( $handle, CURLOPT_UNIX_SOCKET_PATH, $is_own ? explode( ' ', $_SERVER['NIDO_LOOPBACK'] )[0] : null );
		if ( $is_own ) {
			curl_setopt( $handle, CURLOPT_URL, preg_replace( '~^https:~i', 'http:', $url ) );
		}
	},
	PHP_INT_MAX
);
