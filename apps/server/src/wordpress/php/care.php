<?php
// Lists PHP's errors, slow requests and WP-Cron's plan, and switches search engines and the debug log. Neither plugins nor
// the theme are loaded. Run by the platform; visitors cannot reach it.
$wanted = json_decode( $_SERVER['NIDO_CARE'] ?? 'null', true ); // WordPress adds slashes to it

require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

if ( isset( $wanted['is_listed'] ) ) {
	update_option( 'blog_public', $wanted['is_listed'] ? '1' : '0' );
}

if ( isset( $wanted['is_debugged'] ) ) {
	@unlink( NIDO_DEBUG_FILE );
	if ( $wanted['is_debugged'] ) {
		touch( NIDO_DEBUG_FILE );
	}
}
clearstatcache();
$debugged_until = (int) @filemtime( NIDO_DEBUG_FILE ) + DAY_IN_SECONDS;

/** The entries of PHP's log, the latest first, each once. */
function nido_read_errors() {
	$file = ini_get( 'error_log' );
	$size = is_readable( $file ) ? filesize( $file ) : 0;
	$text = $size ? file_get_contents( $file, false, null, max( 0, $size - 262144 ) ) : '';
	// "[18-Nov-2026 01:02:03 UTC] PHP Warning:  …", and lines that belong to it.
	preg_match_all( '~^\[(\d\d-\w{3}-\d{4} [\d:]{8} [\w/+:-]+)\] (.*+(?:\n(?!\[\d\d-).*+)*+)~m', $text, $found, PREG_SET_ORDER );
	$errors = array();
	foreach ( array_reverse( $found ) as list( , $time, $message ) ) {
		$message = str_replace( array( WP_CONTENT_DIR . '/', ABSPATH ), '', mb_substr( mb_scrub( trim( $message ) ), 0, 900 ) );
		if ( isset( $errors[ $message ] ) ) {
			++$errors[ $message ]['count'];
		} elseif ( count( $errors ) < 50 && strtotime( $time ) > time() - WEEK_IN_SECONDS ) {
			$errors[ $message ] = array( 'at' => strtotime( $time ), 'count' => 1, 'message' => $message );
		}
	}
	return array_values( $errors );
}

/** The requests that took long, the latest first. */
function nido_read_slow() {
	$file  = NIDO_STATE_DIR . '/slow.log';
	$lines = is_readable( $file ) ? explode( "\n", (string) file_get_contents( $file, false, null, 0, 262144 ) ) : array();
	$slow  = array();
	foreach ( array_reverse( $lines ) as $line ) {
		$entry = json_decode( $line, true );
		if ( count( $slow ) < 50 && is_array( $entry ) && ( $entry['at'] ?? 0 ) > time() - WEEK_IN_SECONDS ) {
			$slow[] = array(
				'at'      => (int) $entry['at'],
				'seconds' => (float) ( $entry['seconds'] ?? 0 ),
				'path'    => mb_substr( (string) ( $entry['path'] ?? '' ), 0, 200 ),
				'queries' => max( 0, (int) ( $entry['queries'] ?? 0 ) ),
			);
		}
	}
	return $slow;
}

$cron = array();
foreach ( _get_cron_array() as $time => $hooks ) {
	foreach ( $hooks as $hook => $events ) {
		foreach ( $events as $event ) {
			$cron[] = array( 'at' => max( 0, (int) $time ), 'hook' => mb_substr( $hook, 0, 200 ), 'every' => max( 0, (int) ( $event['interval'] ?? 0 ) ) );
		}
	}
}

echo wp_json_encode(
	array(
		'errors'         => nido_read_errors(),
		'slow'           => nido_read_slow(),
		'cron'           => array_slice( $cron, 0, 50 ),
		'is_listed'      => (bool) get_option( 'blog_public' ),
		'debugged_until' => $debugged_until > time() ? $debugged_until : 0,
	),
	JSON_INVALID_UTF8_SUBSTITUTE
);
