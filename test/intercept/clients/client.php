<?php
// Creates, polls and downloads with the clients of PHP, as an app does that knows nothing of tasksim.

const PREDICTIONS = 'https://api.replicate.com/v1/predictions';
const BODY = '{"version": "acme/image-1", "input": {"prompt": "a fox"}}';
define('HEADERS', ['Authorization: Bearer ' . getenv('REPLICATE_API_TOKEN'), 'Content-Type: application/json']);

function with_curl($method, $url, $body)
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => HEADERS,
    ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
    $answer = curl_exec($curl);
    if ($answer === false) throw new Exception(curl_error($curl));
    return $answer;
}

function with_streams($method, $url, $body)
{
    $options = ['method' => $method, 'header' => HEADERS, 'content' => $body ?? ''];
    $answer = @file_get_contents($url, false, stream_context_create(['http' => $options]));
    if ($answer === false) throw new Exception(error_get_last()['message']);
    return $answer;
}

const CLIENTS = ['curl' => 'with_curl', 'streams' => 'with_streams'];

function outcome($send)
{
    try {
        $made = json_decode($send('POST', PREDICTIONS, BODY), true);
        while ($made['status'] !== 'succeeded') $made = json_decode($send('GET', $made['urls']['get'], null), true);
        $output = $made['output'];
        $file = $send('GET', is_array($output) ? $output[0] : $output, null);
        return substr($file, 1, 3) === 'PNG' ? 'ok' : 'no picture';
    } catch (Exception $error) {
        return $error->getMessage();
    }
}

foreach (array_slice($argv, 1) as $name) echo json_encode([$name, outcome(CLIENTS[$name])]), "\n";
