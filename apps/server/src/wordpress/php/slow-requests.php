<?php
// Notes requests of visitors and of the admin that took long, for the platform's screens.
const NIDO_SLOW_SECONDS = 2;
const NIDO_SLOW_BYTES   = 65536;

register_shutdown_function(
	static function () {
		$seconds = microtime( true ) - (float) ( $_SERVER['REQUEST_TIME_FLOAT'] ?? INF );
		if ( $seconds < NIDO_SLOW_SECONDS || isset( $_SERVER['NIDO_SAFE'] ) || isset( $_SERVER['NIDO_CLI'] ) ) {
			return;
		}
		$entry = array(
			'at'      => time(),
			'seconds' => round( min( $seconds, 999 ), 1 ),
			'path'    => mb_substr( mb_scrub( $_SERVER['REQUEST_METHOD'] . ' ' . strtok( $_SERVER['REQUEST_URI'] ?? '/', '?' ) ), 0, 200 ),
			'queries' => (int) ( $GLOBALS['wpdb']->num_queries ?? 0 ),
		);
		$file  = NIDO_STATE_DIR . '/slow.log';
		$flags = @filesize( $file ) > NIDO_SLOW_BYTES ? LOCK_EX : FILE_APPEND | LOCK_EX;
		@file_put_contents( $file, wp_json_encode( $entry, JSON_INVALID_UTF8_SUBSTITUTE ) . "\n", $flags );
	}
);
