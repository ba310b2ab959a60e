<?php
// Records the last fatal error in the file `fatal`, so that the owner learns which plugin or theme caused it. Loaded
// before WordPress, whose own handler ends the request.
const NIDO_FATAL_FILE = NIDO_STATE_DIR . '/fatal';

register_shutdown_function(
	static function () {
		$error = error_get_last();
		if ( ! $error || ! ( $error['type'] & ( E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR ) ) ) {
			return;
		}
		preg_match( '~^' . preg_quote( WP_CONTENT_DIR, '~' ) . '/(plugin|theme)s/([^/]+)~', $error['file'], $found );
		$fatal = array(
			'at'      => time(),
			'message' => substr( strtok( $error['message'], "\n" ), 0, 500 ),
			'cause'   => $found[1] ?? 'other',
			'name'    => $found[2] ?? '',
		);
		// A part of the page was sent, with the status of a whole one: the edge must not keep it.
		if ( headers_sent() ) {
			echo '<!-- nido:unfinished -->';
		}
		file_put_contents( NIDO_FATAL_FILE, json_encode( $fatal, JSON_INVALID_UTF8_SUBSTITUTE ) );
	}
);
